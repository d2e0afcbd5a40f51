// Four corners over a picture: dragged with a finger, or moved with the arrow keys; a loupe shows what is under it.

const START = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];
const NUDGE = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ZOOM = 4;

/**
 * Puts four handles over a picture, and calls `onMove` when somebody moves one; reads and writes `corners`, as shares of
 * the picture's width and height.
 */
export function corners(frame, picture, onMove) {
  if (!frame) return null;
  const names = frame.dataset.names.split("|");
  const loupe = frame.querySelector("canvas");
  const lastPicture = document.createElement("canvas"); // the last picture: the next one may still be loading
  let places = START.map((each) => [...each]);
  const handles = names.map((name) => {
    const handle = Object.assign(document.createElement("button"), { type: "button", className: "corner" });
    handle.setAttribute("aria-label", name);
    frame.append(handle);
    return handle;
  });

  function draw() {
    places.forEach(([x, y], at) => Object.assign(handles[at].style, { left: `${100 * x}%`, top: `${100 * y}%` }));
    frame.querySelector("polygon").setAttribute("points", places.map((each) => each.join(",")).join(" "));
  }

  function magnify(at) {
    const pen = loupe.getContext("2d");
    const [x, y] = places[at];
    const size = loupe.width / ZOOM;
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, loupe.width, loupe.height);
    const [left, top] = [x * lastPicture.width - size / 2, y * lastPicture.height - size / 2];
    pen.drawImage(lastPicture, left, top, size, size, 0, 0, loupe.width, loupe.height);
    pen.strokeStyle = "#ffd25e";
    pen.lineWidth = 2;
    const middle = loupe.width / 2;
    pen.strokeRect(middle - 1, middle - 24, 1, 48);
    pen.strokeRect(middle - 24, middle - 1, 48, 1);
  }

  picture.addEventListener("load", () => {
    [lastPicture.width, lastPicture.height] = [picture.naturalWidth, picture.naturalHeight];
    lastPicture.getContext("2d").drawImage(picture, 0, 0);
  });

  function move(at, x, y) {
    places[at] = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
    draw();
    magnify(at);
    onMove();
  }

  handles.forEach((handle, at) => {
    let grip = null;
    handle.onpointerdown = (event) => {
      const box = frame.getBoundingClientRect();
      grip = [event.clientX - places[at][0] * box.width, event.clientY - places[at][1] * box.height];
      handle.setPointerCapture(event.pointerId);
      loupe.hidden = false;
      magnify(at);
    };
    handle.onpointermove = (event) => {
      const box = frame.getBoundingClientRect();
      if (grip) move(at, (event.clientX - grip[0]) / box.width, (event.clientY - grip[1]) / box.height);
    };
    handle.onpointerup = handle.onpointercancel = () => {
      grip = null;
      loupe.hidden = true;
    };
    handle.onkeydown = (event) => {
      const step = NUDGE[event.key];
      if (!step) return;
      event.preventDefault();
      const pixel = 1 / lastPicture.width;
      loupe.hidden = false;
      move(at, places[at][0] + step[0] * pixel, places[at][1] + step[1] * pixel);
    };
    handle.onblur = () => { loupe.hidden = true; };
  });
  draw();
  return {
    get corners() { return places; },
    set corners(shares) {
      places = shares.map((each) => [...each]);
      draw();
    },
  };
}
