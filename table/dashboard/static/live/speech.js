// Reads announcements aloud if switched on: with a voice of this device, or else plays a tone.

import { remember, recall } from "../web/browser_memory.js";
import { find } from "../web/tools.js";

const button = find("speak");
const STORAGE_KEY = "voice"; // whether this phone reads aloud, kept between visits
const spokenMarks = new Set();
let isFirst = true;
let audio = null;

/** Whether this page is read aloud. */
export const isReadAloud = () => !button.hidden && isOn();

const isOn = () => button.getAttribute("aria-pressed") === "true";

const TAGS = { "zh-Hant": "zh-TW", "zh-Hans": "zh-CN" }; // voices are named by region, our texts by script

/** A voice of this device for the page's language; other voices would send the text to a server. */
function voice() {
  const voices = window.speechSynthesis?.getVoices() ?? [];
  const { lang } = document.documentElement;
  return voices.find((each) => each.localService && each.lang.replace("_", "-").startsWith(TAGS[lang] ?? lang));
}

/** An iPhone lets a page play sound only once a tap has started it, and stops it when locked or ringing: each tap restarts it. */
function beginSound() {
  if (!isReadAloud()) return;
  if (!audio) window.speechSynthesis?.speak(new SpeechSynthesisUtterance(""));
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => null);
}

function tone() {
  audio ??= new AudioContext();
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = 660;
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  source.connect(volume).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + 0.4);
}

function say(text) {
  const localVoice = voice();
  if (!localVoice) return tone();
  const speech = new SpeechSynthesisUtterance(text.replace(/[\u2068\u2069]/g, ""));
  speech.voice = localVoice;
  speech.lang = localVoice.lang;
  return speechSynthesis.speak(speech);
}

const markOf = ({ key, text }) => `${key} ${text}`;

/** Leaves unread what a phone missed while it slept, except for the newest announcement. */
export const skipMissed = (news) => news.slice(1).forEach((line) => spokenMarks.add(markOf(line)));

/** Reads new announcements aloud, but none from before this page was opened. */
export function speak(news, isAllowed) {
  button.hidden = !isAllowed;
  for (const line of [...news].reverse()) {
    const mark = markOf(line);
    if (!spokenMarks.has(mark) && !isFirst && isAllowed && isOn() && line.aloud) say(line.text);
    spokenMarks.add(mark);
  }
  isFirst = false;
}

button.setAttribute("aria-pressed", String(recall(STORAGE_KEY) === "on"));
button.onclick = () => {
  button.setAttribute("aria-pressed", String(!isOn()));
  remember(STORAGE_KEY, isOn() ? "on" : "off");
};
addEventListener("click", beginSound);
button.disabled = false;
