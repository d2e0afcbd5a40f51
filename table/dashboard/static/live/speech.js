// Reads announcements aloud if switched on: only with voices of this device, else with a tone.

import { remember, remembered } from "../web/remembered.js";
import { find } from "../web/tools.js";

const button = find("speak");
const KEPT = "voice"; // whether this phone reads aloud, kept between visits
const known = new Set();
let isFirst = true;
let sound = null;

/** Whether this page is read aloud. */
export const isReadAloud = () => !button.hidden && isOn();

const isOn = () => button.getAttribute("aria-pressed") === "true";

const TAGS = { "zh-Hant": "zh-TW", "zh-Hans": "zh-CN" }; // voices are named by region, our texts by script

/** A voice of this device for the page's language: others would send the text to a server. */
function voice() {
  const voices = window.speechSynthesis?.getVoices() ?? [];
  const { lang } = document.documentElement;
  return voices.find((each) => each.localService && each.lang.replace("_", "-").startsWith(TAGS[lang] ?? lang));
}

function tone() {
  sound ??= new AudioContext();
  const [source, volume] = [sound.createOscillator(), sound.createGain()];
  source.frequency.value = 660;
  volume.gain.setValueAtTime(0.15, sound.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.35);
  source.connect(volume).connect(sound.destination);
  source.start();
  source.stop(sound.currentTime + 0.4);
}

function say(text) {
  const found = voice();
  if (!found) return tone();
  const speech = new SpeechSynthesisUtterance(text.replace(/[\u2068\u2069]/g, ""));
  speech.voice = found;
  speech.lang = found.lang;
  return speechSynthesis.speak(speech);
}

/** Reads new announcements aloud; not those from before this page was opened. */
export function speak(news, isAllowed) {
  button.hidden = !isAllowed;
  for (const line of [...news].reverse()) {
    const mark = `${line.key} ${line.text}`;
    if (!known.has(mark) && !isFirst && isAllowed && isOn() && line.aloud) say(line.text);
    known.add(mark);
  }
  isFirst = false;
}

button.ariaPressed = String(remembered(KEPT) === "on");
button.onclick = () => {
  button.ariaPressed = String(!isOn());
  remember(KEPT, isOn() ? "on" : "off");
};
button.disabled = false;
