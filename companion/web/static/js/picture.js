// The picture with an outline and a name for each tile; a tap opens what can be done with it.

import { h, replace, svg } from "./dom.js";
import { nameOf, shortNameOf, t } from "./page.js";

const LEGIBLE_PX = 24; // tiles shown smaller than this carry no words: they could not be read

/** The edge of a quad that lies lowest on the screen, as where words go and at what angle. */
function foot(quad) {
  const edges = quad.map((from, i) => [from, quad[(i + 1) % 4]]);
  const [a, b] = edges.reduce((low, edge) => (edge[0][1] + edge[1][1] > low[0][1] + low[1][1] ? edge : low));
  const [left, right] = a[0] <= b[0] ? [a, b] : [b, a];
  const angle = (Math.atan2(right[1] - left[1], right[0] - left[0]) * 180) / Math.PI;
  const width = Math.hypot(right[0] - left[0], right[1] - left[1]);
  return { x: (left[0] + right[0]) / 2, y: (left[1] + right[1]) / 2, angle, width };
}

function label(quad, text) {
  const { x, y, angle, width } = foot(quad);
  const size = Math.min(width * 0.27, (width * 1.5) / text.length);
  const box = size * 1.4;
  return svg(
    "g",
    { class: "tag", transform: `translate(${x} ${y}) rotate(${angle})`, "data-width": width },
    svg("rect", { x: -width * 0.5, y: -box, width, height: box, rx: size * 0.25 }),
    svg("text", { y: -box * 0.3, "font-size": size, "text-anchor": "middle" }, text),
  );
}

function outline(seen, index, piece, state, pick) {
  const code = piece?.tile ?? seen.tile;
  const kinds = ["seen", piece ? "on-sheet" : "off-sheet"];
  if (piece?.doubtful) kinds.push("doubtful");
  if (piece && piece.id === state.layout.winning) kinds.push("winning");
  const spoken = piece
    ? piece.doubtful ? t("doubtful_name", { tile: nameOf(code) }) : nameOf(code)
    : t("not_on_sheet", { tile: nameOf(code) });
  const words = shortNameOf(code) + (piece?.doubtful ? " ?" : "");
  return svg(
    "g",
    {
      class: kinds.join(" "),
      "data-piece": piece?.id,
      onclick: state.may_edit ? () => pick(piece ? { piece: piece.id } : { seen: index }) : undefined,
    },
    svg("title", {}, spoken),
    svg("polygon", { points: seen.quad.join(" ") }),
    piece && label(seen.quad, words),
  );
}

export function drawPicture(region, state, pick) {
  region.hidden = !state.picture;
  if (!state.picture) return;
  const { width, height, url } = state.picture;
  const pieces = new Map(state.layout.pieces.filter((p) => p.seen !== null).map((p) => [p.seen, p]));
  const outlines = state.reading.tiles.map((seen, i) => outline(seen, i, pieces.get(i), state, pick));
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": t("picture", { count: state.reading.tiles.length }),
    },
    url && svg("image", { href: url, width, height }),
    outlines,
  );
  // The drawing is exchanged inside its frame, so the frame keeps its size and place while it is edited.
  const frame = region.querySelector(".picture-frame");
  if (frame) frame.replaceChildren(drawing);
  else {
    const enlarge = h("button", { class: "button enlarge", type: "button", "aria-pressed": "false", "data-key": "enlarge" });
    const say = () => {
      const big = region.classList.contains("big");
      enlarge.setAttribute("aria-pressed", String(big));
      enlarge.textContent = big ? t("smaller") : t("larger");
    };
    enlarge.addEventListener("click", () => {
      region.classList.toggle("big");
      say();
      showTags(region);
    });
    say();
    replace(region, h("div", { class: "picture-frame" }, drawing), enlarge);
    addEventListener("resize", () => showTags(region));
  }
  showTags(region);
}

function showTags(region) {
  const drawing = region.querySelector("svg");
  const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  for (const tag of drawing.querySelectorAll(".tag")) {
    tag.classList.toggle("too-small", Number(tag.dataset.width) * scale < LEGIBLE_PX);
  }
}

export function lightPicture(region, lit) {
  for (const outline of region.querySelectorAll(".seen")) {
    outline.classList.toggle("lit", lit.has(Number(outline.dataset.piece)));
  }
  region.classList.toggle("lighting", lit.size > 0);
}
