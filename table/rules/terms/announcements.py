"""Announcements for people, and suspicions that only people can turn into a foul."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat


class Scope(Enum):
    """Who may hear an announcement."""

    PUBLIC = "public"
    PRIVATE = "private"
    """Only that seat's own phone."""
    VERDICT = "verdict"
    """Everybody, but only once the hand is shown."""
    STAFF = "staff"


class AnnouncementId(Enum):
    """Every announcement. The string under each describes when it is made, and its `args`."""

    RIICHI_DECLARED = "riichi_declared"
    """A sideways declaration tile was discarded (R08-R09)."""
    RIICHI_ACCEPTED = "riichi_accepted"
    """The riichi is accepted and 1000 is charged (R11, R15). args: `stick`: bool."""
    RIICHI_VOID = "riichi_void"
    """The declaration tile was ronned (R13). args: `by`, if that is not why: `foul`, or `put_back` if the tile was
    straightened or taken up again.
    """
    RIICHI_UPRIGHT = "riichi_upright"
    """Riichi was announced, or its stick placed, but the tile is not sideways, and the rule set has no penalty for that
    (R09). args: `by`: `voice` | `stick`.
    """
    STICK_MISSING = "stick_missing"
    """A valid riichi has no stick on the table at the settlement (R11)."""
    NEXT_SIDEWAYS = "next_sideways"
    """A riichi tile was called: the next discard must be sideways (R18)."""
    DOUBLE_RIICHI = "double_riichi"
    """Riichi with the first discard and no call before it (R37)."""
    OPEN_RIICHI = "open_riichi"
    """Riichi with its waiting tiles laid open. args: `tiles`: the wait; `known`: whether it could be read."""
    IPPATSU_OPEN = "ippatsu_open"
    """The ippatsu window opened (R40)."""
    IPPATSU_LAST_CHANCE = "ippatsu_last_chance"
    """Only the declarer's own draw is left in the ippatsu window (R40)."""
    IPPATSU_CLOSED = "ippatsu_closed"
    """The ippatsu window closed. args: `by`: `call` | `own_discard` | `declaration_called` | `kan`."""
    FOUR_RIICHI_PENDING = "four_riichi_pending"
    """The fourth riichi was declared; the hand aborts when its tile has passed and its stick is placed (R66)."""
    FOUR_WINDS_PENDING = "four_winds_pending"
    """The last discard makes four equal winds; the hand aborts when that tile has passed."""
    FOUR_KANS_PENDING = "four_kans_pending"
    """The discard after the fourth kan, by more than one seat, was laid; the hand aborts when that tile has passed."""
    ABORT_LAPSED = "abort_lapsed"
    """Play went on although an abort was due: the abort lapses unless people call it. args: `reason`: `four_riichi` |
    `four_winds` | `four_kans`.
    """
    FOUR_RIICHI_ABORT = "four_riichi_abort"
    """An abort ends the hand, unless a ron undoes it; each of `ABORTS` has its own announcement."""
    FOUR_WINDS_ABORT = "four_winds_abort"
    FOUR_KANS_ABORT = "four_kans_abort"
    NINE_TERMINALS_ABORT = "nine_terminals_abort"
    TRIPLE_RON_ABORT = "triple_ron_abort"
    KAN_COUNT = "kan_count"
    """A kan was made. args: `count`."""
    TILES_LEFT = "tiles_left"
    """Few draws are left. args: `count` (4, 1, 0)."""
    DEAD_HAND = "dead_hand"
    """A foul makes the seat's hand dead (7-09)."""
    WIN_VOID = "win_void"
    """A claimed win does not count because of a foul. args: `why`: `dead_hand` | `no_win` | `furiten` |
    `tsumogiri_only` | `early_draw`, by a foul of the seat; `foul`, and `from`: the seat whose foul ends the hand.
    """
    FURITEN = "furiten"
    """A declared or shown wait is furiten (R50-R53). args: `kind`: `discard` | `temporary` | `riichi`, `tiles`."""
    POSSIBLE_FURITEN = "possible_furiten"
    """A tile that could not be read may make the seat furiten."""
    NOTEN_RIICHI = "noten_riichi"
    """A hand in riichi was shown or declared noten at a draw (R56)."""
    ILLEGAL_CLOSED_KAN = "illegal_closed_kan"
    """A riichi hand, once shown, proves that one of its closed kans was not allowed (R59). args: `tile`, and `why`:
    `other_reading` | `changes_waits` | `never`.
    """
    MELD_POINTS_WRONG_WAY = "meld_points_wrong_way"
    """The turned tile of a meld points at another seat than its discarder (7-05-04). args: `points_at`, `from`."""
    OUT_OF_TURN = "out_of_turn"
    MISSING_DISCARD = "missing_discard"
    """A seat discarded although another's discard was expected. args: `expected`: seat."""
    IMPOSSIBLE_READING = "impossible_reading"
    """More copies of a tile were read than the set has. args: `tile`."""
    DOUBT = "doubt"
    """A tile was read with too little confidence. args: `tile`, `alternatives`; `kind` (`added_kan`, `indicator`) if it
    is no discard.
    """
    FOUL_LOGGED = "foul_logged"
    """People logged a foul. args: `clause`; `foul`: its number among the hand's logged fouls, from 0; `option` and
    `questions` if an option applies; `deltas` by seat if points move at once; `hand`: the number of the foul's hand in
    the game, from 0, if it was settled before."""
    FOUL_CANCELLED = "foul_cancelled"
    """People cancelled a foul. args: `clause`, `foul` and `hand` as in `foul_logged`; `deltas`: the points it moves if
    the hand was settled."""
    SETTLEMENT_PROPOSED = "settlement_proposed"
    """args: `deltas`, `kind`, and `missing`: the facts still needed, `stick 0`, `ura 1`, `hand 2`, `dora`,
    `ruling 1` (the referee's, on a foul of seat 1, or a fact that decides its cost), `nagashi 3` (a discard that was
    not seen or could not be read decides whether seat 3 is paid), `discarder 2` and `winning_tile 2` (seat 2 won on a
    tile that may have gone unseen), `liable 2` (people reported the meld that completes its yakuman, but not who fed
    it), `declaration 1` (seat 1 dealt in with its riichi tile, or with a later tile that nobody saw), `yaku 2` (only
    unseen play can have given its shown hand a yaku), `unseen 2` (unseen play may add to its win); `riichi`: the seats
    whose payments contain the stick of this hand, if any; `chips` if the rules use them."""
    SETTLEMENT_CONFIRMED = "settlement_confirmed"
    """args: `deltas`, `kind`, `scores`; `riichi` as in `settlement_proposed`; by seat, if fouls cost them, points after
    uma (`after_uma`), points for first place at the end of the game (`unit_deduct`), and the number of places lost then
    (`lower_rank`); `chips` if the rules use them."""
    SETTLED_WITHOUT = "settled_without"
    """The hand was settled without some facts, by a confirmation or by the next deal. args: `missing`, as in
    `settlement_proposed`, without sticks; if facts about unseen play are missing, `unseen`: what it may have given each
    winner, by seat."""
    HAND_LEFT_OPEN = "hand_left_open"
    """The next hand began before this one could be settled. args: as in `settled_without`; `missing` may contain
    `tenpai` too: nobody said who was tenpai at a draw that went unseen."""
    HAND_STARTED = "hand_started"
    """args: `round`, `dealer`, `honba`, `deposits`."""
    GAME_ENDED = "game_ended"
    """args: `scores`, `ranking`; `chips` of the whole game if the rules use them; `bust_bonus`
    if one is paid."""
    GAME_RESUMED = "game_resumed"
    """The opening of a game was undone or redone, and another game is on the table again. args: `opening`: `undone` |
    `redone`."""
    TIME_SIGNAL = "time_signal"
    """Time was called. args: `last`: `none` | `this_hand` | `next_hand`: the last hand to be played."""
    POINTS_ADJUSTED = "points_adjusted"
    """People corrected the points. args: `deltas`, `sticks` (the change of the number on the table),
    `scores`, and `honba` if it was corrected."""
    SEATS_SWAPPED = "seats_swapped"
    """People corrected who sits where. args: `seats`: the seats whose players changed, and `what`: `swapped` |
    `swapped_results` (finished hands moved with them) | `undone`.
    """
    LATER_HANDS = "later_hands"
    """A correction took finished hands out of the game, or brought them back. args: `hands`: the round and the honba of
    each, and `what`: `over` (the game ends before them) | `unfit` (they no longer fit it) | `back`.
    """
    CAMERA_LOST = "camera_lost"
    CAMERA_BACK = "camera_back"
    CAMERA_MOVED = "camera_moved"
    """The camera or the table was pushed, and the picture aligned again. args: `mm`."""
    MOMENT_KEPT = "moment_kept"
    """Somebody flagged a moment, and the clip before it was saved. args: `at`, `seconds`."""
    MOMENT_LOST = "moment_lost"
    """Somebody flagged a moment, but the clip before it could not be saved. args: `at`."""
    SEAT_ASKED = "seat_asked"
    """A phone asks for a seat that another one holds. args: `asker`: the name, if known; `is_entered`: true if
    a phone without a seat entered it, so that it may be anybody's."""
    SEAT_TAKEN = "seat_taken"
    """A phone lost its seat, to another phone or to nobody. args: `way`: `word` | `pin` | `owner` | `others`."""
    SEAT_KEPT = "seat_kept"
    """A phone's request for a seat was refused."""
    OWNER_CAME = "owner_came"
    """A phone set the owner's PIN; none was set before."""
    FOUL_AGREED = "foul_agreed"
    """Two people agreed about a foul. args: `first`, `second`: each a seat, or `owner`."""

    @classmethod
    def of_abort(cls, reason: AbortReason) -> AnnouncementId:
        """Returns the announcement of a hand's end by that abort."""
        return cls(f"{reason.value}_abort")

    @classmethod
    def of_pending(cls, reason: AbortReason) -> AnnouncementId:
        """Returns the announcement that the hand ends by that abort, caused by play, unless somebody wins."""
        return cls(f"{reason.value}_pending")


Args = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One statement that follows from the events, without a text: `table.i18n` writes it in a language.

    `table.game.announcement_json`, which knows the journal, adds `key`, `cause`, `frame` and `status` of the contract.
    """

    id: AnnouncementId
    seat: Seat | None = None
    scope: Scope = Scope.PUBLIC
    args: Args = field(default_factory=dict)
    """JSON values only."""
    rule: str = ""
    """The rule that it follows from, for the answer to *why?*: `R40`, `7-05-06`, `EMA 6.6`."""

    @property
    def earlier_hand(self) -> int | None:
        """The number of the hand that it is about, from 0, if that was settled before: a foul's; else None."""
        hand = self.args.get("hand")
        return hand if isinstance(hand, int) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """An irregular act: a question for people, never a verdict."""

    clause: str
    """Catalogue number, article, or `R23` where neither exists."""
    seat: Seat
    evidence: tuple[str, ...]
    """The observations, in plain words that accuse nobody."""
    options: tuple[str, ...] = ()
    scope: Scope = Scope.VERDICT
    """Who may read it: the players too, if the mode allows it, or only the staff."""
