// Choosing rules: comparing sets, changing choices, uploading files. The server decides what is stored.

import { isChanged } from "../web/form_fields.js";
import { ask, post, refusal, toast } from "../web/server.js";
import { follow } from "../web/stream.js";
import { find, loadAnew, setText, withValues } from "../web/tools.js";

const words = document.body.dataset;
const save = find("save");
const choices = {};
const amounts = {};
const settings = {};
const play = {};

/** Shows another set, or compares with another one. */
function go() {
  const [shownSet, against] = [find("shown").value, find("against").value];
  location.search = String(new URLSearchParams({ set: shownSet, ...(against && against !== shownSet ? { against } : {}) }));
}

for (const select of [find("shown"), find("against")]) {
  select.onchange = go;
  select.disabled = false;
  const ownIndex = Math.max(0, [...select.options].findIndex((option) => option.defaultSelected));
  addEventListener("pagehide", () => (select.selectedIndex = ownIndex)); // so that the select is right if somebody comes back
}

// --- Searching clauses --------------------------------------------------------------------------------------------

find("find").oninput = () => {
  const searchText = find("find").value.trim().toLowerCase();
  const clauses = [...document.querySelectorAll("article.clause")];
  for (const clause of clauses) clause.hidden = !clause.textContent.toLowerCase().includes(searchText);
  const groups = new Set(clauses.map((clause) => /** @type {HTMLElement} */ (clause.closest(".group"))));
  for (const group of groups) group.hidden = !group.querySelector("article.clause:not([hidden])");
  find("no-match").hidden = clauses.some((clause) => !clause.hidden);
};

const only = find("only");

/** Shows only what differs from the other set, if that is ticked. */
const filterDifferences = () => document.body.classList.toggle("only-other", only?.checked ?? false);

for (const group of document.querySelectorAll(".group")) group.classList.toggle("other", group.querySelector(".other") !== null);
only?.addEventListener("change", filterDifferences);

// --- Own choices --------------------------------------------------------------------------------------------------

function drawChanges() {
  const count = [play, choices, amounts, settings].flatMap((each) => Object.keys(each)).length;
  save.hidden = !count;
  if (find("play")) find("play").disabled = count > 0; // it would begin with the saved rules
  find("unsaved")?.toggleAttribute("hidden", !count);
  setText(save.querySelector("p"), withValues(words.changed, { count }));
}

const controls = [...document.querySelectorAll("[data-play]")];

const playControl = (key) => controls.find((each) => each.dataset.play === key);

/** The oka that the server computes: what all players pay in by start and target; null if the oka was chosen. */
function usualOka() {
  if (!document.querySelector("[data-usual-oka]")) return null;
  return String(Math.max(0, 4 * (Number(playControl("target_points").value) - Number(playControl("starting_points").value))));
}

function changePlay(control) {
  const { play: key, now } = control.dataset;
  const isUnchanged = control.value === (key === "oka" ? (usualOka() ?? now) : now);
  if (isUnchanged) delete play[key];
  else play[key] = control instanceof HTMLInputElement ? control.valueAsNumber : control.value;
  control.closest(".setting").classList.toggle("changed", key in play);
  drawChanges();
}

function followOka() {
  const oka = usualOka();
  if (oka !== null && !("oka" in play)) playControl("oka").value = oka;
}

for (const control of controls) {
  control.onchange = () => {
    changePlay(control);
    followOka();
  };
}

for (const input of document.querySelectorAll(".choices [type=radio]")) {
  input.onchange = () => {
    const clause = /** @type {HTMLElement} */ (input.closest(".clause"));
    if (input.value === clause.dataset.choice) delete choices[input.name];
    else choices[input.name] = input.value;
    clause.classList.toggle("changed", input.name in choices);
    drawChanges();
  };
}

for (const input of document.querySelectorAll("[data-amount]")) {
  input.onchange = () => {
    const { option, amount } = input.dataset;
    const { [amount]: _, ...others } = amounts[option] ?? {};
    amounts[option] = isChanged(input) ? { ...others, [amount]: input.valueAsNumber } : others;
    if (!Object.keys(amounts[option]).length) delete amounts[option];
    drawChanges();
  };
}

for (const select of document.querySelectorAll("[data-setting]")) {
  select.onchange = () => {
    if (isChanged(select)) settings[select.dataset.setting] = select.value;
    else delete settings[select.dataset.setting];
    drawChanges();
  };
}

const fields = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...document.querySelectorAll("[data-play], .choices [type=radio], [data-amount], [data-setting]")]);

/** Also counts changes made before this script had loaded, and those that the browser restored on coming back. */
addEventListener("pageshow", () => {
  const isOka = (field) => Number(field.dataset.play === "oka"); // first, since a chosen oka does not follow the other fields
  const changedFields = fields.filter(isChanged).sort((one, other) => isOka(other) - isOka(one));
  for (const field of changedFields) field.dispatchEvent(new Event("change"));
  find("find").dispatchEvent(new Event("input"));
  filterDifferences();
});

let isSent = false;
addEventListener("pagehide", () => (isSent = false));

async function keep(body) {
  if (isSent) return; // a second set would have the name of the first
  isSent = true;
  const [isKept, answer] = await ask("rules", body);
  isSent = isKept;
  if (!isKept) return toast(refusal(answer));
  location.search = String(new URLSearchParams({ set: answer.name, against: words.set }));
}

save.querySelector("button").onclick = () => {
  const invalidField = fields.find((field) => isChanged(field) && !field.checkValidity());
  if (invalidField) {
    invalidField.closest("details")?.setAttribute("open", "");
    return invalidField.reportValidity();
  }
  keep({ base: words.set, name: find("as").value.trim(), play, choices, amounts, settings });
};

// --- Files, and playing with a set --------------------------------------------------------------------------------

const upload = find("upload");
if (upload) {
  upload.onchange = async () => {
    const [file] = upload.files;
    if (file) await keep({ toml: await file.text() });
    upload.value = "";
  };
  upload.disabled = find("play").disabled = false;
  find("play").onclick = async () => {
    if (!confirm(words.sure)) return;
    isSent = true;
    isSent = await post("rules/play", { name: words.set });
    if (isSent) location.href = "/";
  };
}

// --- The rules in force -------------------------------------------------------------------------------------------

let inForce = "";
let isOutdated = false;

/** Shows other rules in force, unless somebody searches or has chosen something here, or has just sent it. */
function loadIfOutdated() {
  if (isOutdated && save.hidden && !find("find").value && !isSent) loadAnew();
}

follow(({ keeping: { game, rules }, version }) => {
  document.body.dataset.version = version;
  const latest = [game, rules].join();
  inForce ||= latest;
  isOutdated = latest !== inForce;
  loadIfOutdated();
});
find("find").addEventListener("input", loadIfOutdated);
