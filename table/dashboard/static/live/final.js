// The end of a game: places with uma and oka, the next game of the same players, a picture of the result to share.

import { post, toast } from "../web/server.js";
import { shareSheet } from "../scores/share.js";
import { reveal } from "../web/tap_target.js";
import { fill, find, make, lastingNameOf, setText } from "../web/tools.js";

const dock = document.querySelector(".actions .over");
/** The picture that is being made and shared: meanwhile a second tap does not make another one. */
let sharing = null;

const newRow = () => make("li", {}, make("span"), make("b", { dir: "auto" }), make("span"), make("strong"), make("small"));

/** Shows the places and final points once the game is over, and what can be done then. */
export function drawFinal(table) {
  const box = find("final");
  box.hidden = !table.final;
  if (dock) reveal(dock, Boolean(table.final));
  fill(box.querySelector("ol"), table.final ?? [], newRow, (row, item) => {
    const texts = [item.place, lastingNameOf(table.seats[item.seat]), item.score_text, item.points, item.worth];
    texts.forEach((text, index) => setText(row.children[index], text));
    row.classList.toggle("first", item.place === table.final[0].place);
  });
  setText(find("tie"), table.tie);
  find("tie").hidden = !table.tie;
  if (dock && table.final) offer(table);
}

function offer({ sheet, keeping }) {
  const [next, share] = [find("next-game"), find("share")];
  share.hidden = !sheet.length;
  share.onclick = () => {
    const picture = () => shareSheet(`/game/${keeping.game}/sheet.svg`, `tachiai-${keeping.game}.png`);
    sharing ??= picture().catch(() => toast(document.body.dataset.unsent)).finally(() => (sharing = null));
  };
  if (!next) return;
  next.onclick = async () => {
    next.disabled = true;
    await post("game", { game: keeping.game, names: null, first_dealer: sheet[0]?.dealer ?? 0 });
    next.disabled = false;
  };
}
