// What the dashboard's scripts may rely on: of what kind the elements are that they find by id or selector.

/** Elements by id, where they are more than an HTMLElement. */
interface Elements {
  after: HTMLButtonElement;
  against: HTMLSelectElement;
  as: HTMLInputElement;
  back: HTMLButtonElement;
  before: HTMLButtonElement;
  case: HTMLDialogElement;
  corrected: HTMLImageElement;
  find: HTMLInputElement;
  hand: HTMLDialogElement;
  keyboard: HTMLDialogElement;
  meter: HTMLMeterElement;
  name: HTMLButtonElement;
  "next-game": HTMLButtonElement;
  note: HTMLInputElement;
  on: HTMLButtonElement;
  only: HTMLInputElement;
  options: HTMLDetailsElement;
  "pao-seat": HTMLSelectElement;
  "pao-yakuman": HTMLSelectElement;
  photo: HTMLInputElement;
  "photo-first": HTMLInputElement;
  picture: HTMLImageElement;
  play: HTMLButtonElement;
  png: HTMLAnchorElement;
  reason: HTMLDialogElement;
  redo: HTMLButtonElement;
  settle: HTMLDialogElement;
  share: HTMLButtonElement;
  shown: HTMLSelectElement;
  step: HTMLInputElement;
  speak: HTMLButtonElement;
  "to-fouls": HTMLAnchorElement;
  turn: HTMLButtonElement;
  undo: HTMLButtonElement;
  upload: HTMLInputElement;
  view: HTMLImageElement;
  waits: HTMLDialogElement;
  why: HTMLInputElement;
}

type ElementOf<Id extends string> = Id extends keyof Elements ? Elements[Id] : HTMLElement;

/** Selectors that name no kind of element, and the kind that they find. */
interface Selectors {
  ".confirm": HTMLButtonElement;
  "[data-flag-moment]": HTMLButtonElement;
  "[data-correction]": HTMLButtonElement;
  "[data-amount]": HTMLInputElement;
  "[data-play]": HTMLInputElement | HTMLSelectElement;
  "[data-press]": HTMLButtonElement;
  "[data-press=agree]": HTMLButtonElement;
  "[data-press=drop]": HTMLButtonElement;
  "[data-setting]": HTMLSelectElement;
  "[name=meld]:checked": HTMLInputElement;
  "[name=part]": HTMLInputElement;
  "[name=part]:checked": HTMLInputElement;
  "[name=part], #facts input": HTMLInputElement;
  ".choices [type=radio]": HTMLInputElement;
}

/** What a selector finds: by its last word if that names a kind of element, as `#facts input:checked` names inputs. */
type Selected<Selector extends string> = Selector extends keyof Selectors
  ? Selectors[Selector]
  : Selector extends `${string} ${infer Rest}`
    ? Selected<Rest>
    : Selector extends `${infer Tag}${":" | "["}${string}`
      ? Tagged<Tag>
      : Tagged<Selector>;
type Tagged<Tag extends string> = Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement;

interface Element {
  closest<Selector extends string>(selector: Selector): Selected<Selector> | null;
}
interface ParentNode {
  querySelector<Selector extends string>(selector: Selector): Selected<Selector> | null;
  querySelectorAll<Selector extends string>(selector: Selector): NodeListOf<Selected<Selector>>;
}
