// The picture with an outline and a name for each tile; a tap opens what can be done with it.

import { h, replace, svg } from "./dom.js";
import { nameOf, shortNameOf, t } from "./page.js";

const LEGIBLE_PX = 22; // where tiles are shown smaller than this they carry no words: too small to read

/** The edge of a quad that lies lowest on the screen, as where words go and at what angle. */
function foot(quad) {
  const edges = quad.map((from, i) => [from, quad[(i + 1) % 4]]);
  const [a, b] = edges.reduce((low, edge) => (edge[0][1] + edge[1][1] > low[0][1] + low[1][1] ? edge : low));
  const [left, right] = a[0] <= b[0] ? [a, b] : [b, a];
  const angle = (Math.atan2(right[1] - left[1], right[0] - left[0]) * 180) / Math.PI;
  const width = Math.hypot(right[0] - left[0], right[1] - left[1]);
  return { x: (left[0] + right[0]) / 2, y: (left[1] + right[1]) / 2, angle, width };
}

function label(quad, text, usual) {
  const { x, y, angle, width } = foot(quad);
  const size = Math.min(usual * 0.27, (width * 1.5) / text.length);
  const box = size * 1.4;
  return svg(
    "g",
    { class: "tag", transform: `translate(${x} ${y}) rotate(${angle})` },
    svg("rect", { x: -width * 0.47, width: width * 0.94, height: box, rx: size * 0.3 }),
    svg("text", { y: box * 0.72, "font-size": size, "text-anchor": "middle" }, text),
  );
}

/** The usual width of a tile on this picture, so that all words have one size. */
function usualWidth(quads) {
  const widths = quads.map(([a, b, , d]) => Math.min(Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(d[0] - a[0], d[1] - a[1])));
  return widths.sort((a, b) => a - b)[widths.length >> 1];
}

function outline(seen, index, piece, usual, state, pick) {
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
    piece && label(seen.quad, words, usual),
  );
}

export function drawPicture(region, state, pick) {
  region.hidden = !state.picture;
  if (!state.picture) return;
  const { width, height, url } = state.picture;
  const pieces = new Map(state.layout.pieces.filter((p) => p.seen !== null).map((p) => [p.seen, p]));
  const usual = usualWidth(state.reading.tiles.map((seen) => seen.quad));
  const outlines = state.reading.tiles.map((seen, i) => outline(seen, i, pieces.get(i), usual, state, pick));
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      "data-usual": usual,
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
    const plus = svg("path", { d: "M11 8v6" });
    const glass = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M8 11h6M16 16l5 5M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z" }), plus);
    const enlarge = h("button", { class: "enlarge", type: "button", "data-key": "enlarge" }, glass);
    const say = () => {
      const big = region.classList.contains("big");
      plus.toggleAttribute("hidden", big);
      enlarge.setAttribute("aria-label", big ? t("smaller") : t("larger"));
      enlarge.title = enlarge.getAttribute("aria-label");
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
  region.classList.toggle("wordless", Number(drawing.dataset.usual) * scale < LEGIBLE_PX);
}

export function lightPicture(region, lit) {
  for (const outline of region.querySelectorAll(".seen")) {
    outline.classList.toggle("lit", lit.has(Number(outline.dataset.piece)));
  }
  region.classList.toggle("lighting", lit.size > 0);
}
