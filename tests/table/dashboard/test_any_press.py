"""Whatever phones send, no page and no view of the table fails, and its journal opens again."""

from __future__ import annotations

from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from table.dashboard import create_app
from table.dashboard.live.commands_api import ADDRESSES
from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.command_reader import PRESSES
from table.game.journal.journal import Journal
from table.game.table_loop import TableLoop
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.yaku import YAKU
from tests.fakes.desks import PIN, join, token
from tests.table.dashboard.any_table import SCENES, VIEWS, keep, visit_pages
from tests.table.game.by_hand import with_all_seen
from vision.felt import Felt, FeltReport

# --- What may be sent ------------------------------------------------------------------------------------------------

TEXTS: Final = ("", " ", "x" * 300, "\ud800", "\x00", "\u202e", "{seat}", "<b>", "9" * 5000, "1m", "7z", "?", "back")
NUMBERS: Final = (-1, 0, 1, 2, 3, 4, 7, 13, 20, 25, 30, 110, 999, 2**53, 10**40, 1.5, float("nan"), float("inf"))
ill = st.recursive(
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.sampled_from(TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("seat", "han", "x")), inner),
    max_leaves=4,
)
seats = st.integers(0, 3)
tiles = st.sampled_from(("1m", "5p", "0p", "9s", "1z", "7z", "?"))
hands = st.sampled_from(("234m567m34567p22s5p", "1m", "19m19p19s12345677z", "1111m", "55p", "?")) | st.lists(tiles)
han, fu = st.integers(0, 14), st.sampled_from((0, 7, 20, 25, 30, 40, 110, 130))
yaku = st.tuples(st.sampled_from((*YAKU, "nonsense")), st.sampled_from((0, 1, 2, 13, 26))).map(list)
clauses = st.sampled_from(("7-05-01", "7-05-06", "7-06-01", "7-04-01", "7-01-01", "EMA 6.6", "R23", "other", "x"))
facts = st.sampled_from(("deliberate", "not restorable", "exposed=3", "breaker=2", "outside=1", "exposed=", "nothing"))
reasons = st.sampled_from([each.value for each in AbortReason]) | st.just("a foul")


def fields(needed: dict[str, Any], others: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object that is mostly right: each field may be left out where it may, and one in some is something else."""
    mostly = {name: st.one_of(*[right] * 9, ill) for name, right in others.items()}
    return st.fixed_dictionaries(needed, optional=mostly)


presses = fields(
    {"press": st.sampled_from(list(PRESSES))},
    {
        "seat": seats,
        "tiles": hands,
        "melds": st.lists(st.sampled_from(("123m", "555z", "(1111p)", "12m", "1111111111s")), max_size=3),
        "han": han,
        "fu": fu,
        "reason": reasons,
        "clause": clauses,
        "option": st.sampled_from(("a", "b", "c", "z")),
        "facts": st.lists(facts, max_size=2),
        "foul": st.integers(0, 2),
        "hand": st.integers(0, 2),
        "held": st.booleans(),
        "discard": st.integers(0, 3),
        "to": tiles,
        "frame": st.integers(0, 3),
    },
)
sure_presses = st.fixed_dictionaries(
    {"press": st.sampled_from(("ron", "tsumo", "riichi", "name_foul", "agree", "confirm", "draw")), "seat": seats},
    optional={"han": han, "fu": fu, "clause": clauses},
)
claims = st.fixed_dictionaries({"press": st.sampled_from(("ron", "tsumo")), "seat": seats, "han": han, "fu": fu})
wins = fields(
    {"seat": seats, "from": seats},
    {
        "han": han,
        "fu": fu,
        "yakuman": st.integers(0, 3),
        "yaku": st.lists(yaku, max_size=2),
        "pao": st.dictionaries(st.sampled_from(("big_three_dragons", "four_kans", "x")), seats, max_size=2),
    },
)
some_seats = st.lists(seats, max_size=4)
results = fields(
    {"kind": st.sampled_from([kind.value for kind in ResultKind])},
    {
        "wins": st.lists(wins, min_size=1, max_size=2),
        "reason": reasons,
        "tenpai": some_seats,
        "nagashi": some_seats,
        "riichi": some_seats,
    },
)
sure_results = st.builds(
    lambda seat, by, han, fu, yaku: {
        "kind": "tsumo" if seat == by else "ron",
        "wins": [{"seat": seat, "from": by, "han": han, "fu": fu, **({"yaku": [yaku]} if yaku else {})}],
    },
    seats,
    seats,
    han,
    fu,
    st.none() | yaku,
)
declared_fields = fields(
    {"result": sure_results | results, "hand": st.integers(0, 2)}, {"why": st.just("dora"), "edit": st.just(True)}
)
deeds = st.one_of(
    st.tuples(st.sampled_from(("tell", "edit", "preview")), declared_fields),
    st.tuples(st.sampled_from(("undo", "redo")), fields({}, {"act": st.integers(0, 30), "why": st.just("so")})),
    st.tuples(st.just("seats"), fields({}, {"order": st.permutations(range(4))})),
    st.tuples(
        st.just("names"), fields({}, {"names": st.lists(st.sampled_from(("Ann", "Ben", "")), min_size=4, max_size=4)})
    ),
    st.tuples(st.just("season"), fields({"counts": st.booleans()}, {})),
    st.tuples(st.just("end"), fields({}, {"why": st.just("late")})),
    st.tuples(st.just("game"), fields({}, {"rules": st.sampled_from(("home", "wrc", "x")), "first_dealer": seats})),
    st.tuples(st.just("value"), fields({}, {"seat": seats, "from": seats, "tiles": st.just("234m567m34567p22s5p")})),
    st.tuples(st.just("shown"), fields({}, {"seat": seats, "tiles": st.just("234m567m34567p22s5p")})),
    st.tuples(st.sampled_from(sorted(ADDRESSES)), st.dictionaries(st.sampled_from(("hand", "act", "result")), ill)),
)
forms = st.fixed_dictionaries(
    {"do": st.sampled_from(("names", "swap", "open", "end", "season", "x"))},
    optional={
        name: st.sampled_from(("0", "1", "4", "-1", "²", "9" * 5000, "x", "home", "Ann"))
        for name in ("one", "other", "first_dealer", "name0", "name1", "rules", "draw", "why")
    },
)
posts = st.one_of(
    *[st.tuples(st.just("press"), claims)] * 2,
    *[st.tuples(st.just("press"), sure_presses)] * 2,
    *[st.tuples(st.just("press"), presses)] * 2,
    *[deeds] * 2,
    st.tuples(st.just("/game"), forms),
)
evenings = st.lists(st.tuples(st.integers(0, 4), posts), min_size=4, max_size=16)
"""What five browsers post, in order: the four seats and the owner."""


# --- What holds ------------------------------------------------------------------------------------------------------


def browsers(app: Flask) -> list[FlaskClient]:
    """The four seats, the owner, and somebody who only looks on."""
    found = [app.test_client() for _ in range(6)]
    for seat, client in enumerate(found[:4]):
        assert join(client, seat=str(seat)) < 400
    assert join(found[4], "owner", pin=PIN) < 400
    return found


def post(client: FlaskClient, deed: str, body: dict[str, Any], headers: dict[str, str]) -> TestResponse:
    """Posts JSON as the pages' scripts do, or a form as a page without them."""
    if deed.startswith("/"):
        return client.post(deed, data={**body, "token": headers[TOKEN_HEADER]})
    return client.post(f"/api/{deed}", json=body, headers=headers)


bounded = settings(
    max_examples=6,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("scene", SCENES)
@bounded
@given(evening=evenings)
def test_whatever_phones_send_every_page_opens_and_the_journal_is_read_again(scene: str, evening: Any) -> None:
    play(SCENES[scene], evening)


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES)
@settings(bounded, max_examples=120)
@given(evening=evenings)
def test_whatever_phones_send_at_length(scene: str, evening: Any) -> None:
    play(SCENES[scene], evening)


def play(scene: str, evening: Any) -> None:
    """Posts everything, looks at everything, and does so again with the journal opened anew."""
    with Journal(None) as journal:
        table = keep(journal, scene)
        if scene:
            table.report(FeltReport(frame=0, t_ns=0, felt=Felt(), changes=()))
        with TableLoop(table) as loop:
            app = create_app(table.board, loop)
            clients = browsers(app)
            tokens = [token(client) for client in clients]
            for who, (deed, body) in evening:
                answer = post(clients[who], deed, body, tokens[who])
                assert answer.status_code < 500, (deed, body, answer.get_data(as_text=True))
                visit_pages(clients, ("/api/table",))
            visit_pages(clients)
        again = keep(journal)
        assert with_all_seen(again.state) == with_all_seen(table.state)
        with TableLoop(again) as loop:
            app = create_app(again.board, loop)
            visit_pages(browsers(app), VIEWS[10:12])
