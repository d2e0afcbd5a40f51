// Choosing rules: comparing sets, changing answers, bringing files. What is kept, and whether, the server decides.

import { ask, post, refusal, toast } from "./server.js";
import { find, setText } from "./tools.js";

const words = document.body.dataset;
const save = find("save");
const choices = {};
const amounts = {};
const settings = {};

/** Shows another set, or compares with another one. */
function go() {
  const [shown, against] = [find("shown").value, find("against").value];
  location.search = String(new URLSearchParams({ set: shown, ...(against && against !== shown ? { against } : {}) }));
}

find("shown").onchange = go;
find("against").onchange = go;

const only = find("only");
if (only) only.onchange = () => document.body.classList.toggle("only", only.checked);

// --- Answers of one's own ----------------------------------------------------------------------------------------

function drawChanges() {
  const count = [choices, amounts, settings].flatMap((each) => Object.keys(each)).length;
  save.hidden = !count;
  setText(save.querySelector("p"), words.changed.replace("{count}", String(count)));
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
    amounts[input.dataset.option] = { ...amounts[input.dataset.option], [input.dataset.amount]: input.valueAsNumber };
    drawChanges();
  };
}

for (const select of document.querySelectorAll("[data-setting]")) {
  select.onchange = () => {
    settings[select.dataset.setting] = select.value;
    drawChanges();
  };
}

async function keep(body) {
  const [isKept, said] = await ask("rules", body);
  if (!isKept) return toast(refusal(said));
  location.search = String(new URLSearchParams({ set: said.name, against: words.set }));
}

save.querySelector("button").onclick = () => keep({ base: words.set, name: find("as").value.trim(), choices, amounts, settings });

// --- Files, and playing by a set ---------------------------------------------------------------------------------

const upload = find("upload");
if (upload) {
  upload.onchange = async () => {
    const [file] = upload.files;
    if (file) await keep({ toml: await file.text() });
    upload.value = "";
  };
  find("play").onclick = async () => {
    if (confirm(words.sure) && (await post("rules/play", { name: words.set }))) location.href = "/";
  };
}
