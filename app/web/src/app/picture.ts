// The list as a picture: 1200 px wide at double density, every item with its name, no watermark.
import { lanesOf, type Lane } from "../logic/lanes";
import { plain, tierLabel } from "../logic/names";
import { percentText } from "../logic/odds";
import type { List } from "../types";
import { save } from "./download";
import { demoNote, fileName } from "./files";
import { nameOf, store } from "./store";

const wide = 1200;
const density = 2;
const pad = 24;
const spine = 120;
const tile = { w: 92, h: 86, gap: 8 }; // wider where names stand alone

type Pen = CanvasRenderingContext2D;

/** tokens reads the style sheet's tokens off the page, so that the picture has the theme and the font one sees. */
function tokens(): (name: string) => string {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

export async function exportPNG(guesses: boolean): Promise<void> {
  const { list, advice, odds, worded } = store.state;
  tile.w = worded ? 140 : 92;
  const lanes = guesses ? lanesOf(list.tiers, advice && { ...advice, items: [...odds.values()] }, new Set(list.hidden)) : [];
  await letters([list.title, demoNote(), ...list.tiers.flatMap((tier) => [tier.name, ...tier.items.map(nameOf)]), ...lanes.flatMap((lane) => lane.ghosts.map(({ item }) => nameOf(item)))].join(" "));
  const canvas = drawList(list, lanes, demoNote());
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) save(fileName("png"), blob);
}

/** letters waits for the files of the page's font that a text needs: a canvas does not ask for them. Without them it takes what is there. */
async function letters(words: string): Promise<void> {
  try {
    await document.fonts.load(`16px ${tokens()("font").split(",")[0]}`, words);
  } catch {
    // not to be had: the next font of the list stands in, as on the page
  }
}

/** drawList draws the whole list; rows grow with their items. */
function drawList(list: List, lanes: Lane[], note: string): HTMLCanvasElement {
  const lane = lanes.length > 0 ? 3 * (tile.w + tile.gap) + tile.gap : 0;
  const columns = Math.max(1, Math.floor((wide - 2 * pad - spine - lane - tile.gap) / (tile.w + tile.gap)));
  const heights = list.tiers.map((tier) => Math.max(1, Math.ceil(tier.items.length / columns)) * (tile.h + tile.gap) + tile.gap);
  const top = pad + 56;
  const foot = note ? 40 : pad;
  const canvas = document.createElement("canvas");
  canvas.width = wide * density;
  canvas.height = (top + heights.reduce((a, b) => a + b, 0) + foot) * density;
  const pen = canvas.getContext("2d")!;
  const colour = tokens();
  const font = colour("font");
  pen.scale(density, density);
  pen.fillStyle = colour("bg");
  pen.fillRect(0, 0, wide, canvas.height / density);
  text(pen, list.title, pad, pad + 26, colour("ink"), `700 24px ${font}`, wide - 2 * pad);
  let y = top;
  list.tiers.forEach((tier, row) => {
    const height = heights[row];
    pen.fillStyle = colour("surface");
    pen.fillRect(pad, y, wide - 2 * pad, height);
    pen.fillStyle = colour(`fill-${tier.colour}`);
    pen.fillRect(pad, y, spine, height);
    const { big, rest } = tierLabel(tier.name);
    const onFill = colour(`on-${tier.colour}`);
    if (big) text(pen, big, pad + 12, y + 36, onFill, `700 26px ${font}`, spine - 24);
    lines(pen, rest, `400 13px ${font}`, spine - 24, 3).forEach((line, i) => text(pen, line, pad + 12, y + (big ? 56 : 28) + i * 17, onFill, `400 13px ${font}`, spine - 24));
    tier.items.forEach((item, i) => {
      const x = pad + spine + tile.gap + (i % columns) * (tile.w + tile.gap);
      const at = y + tile.gap + Math.floor(i / columns) * (tile.h + tile.gap);
      drawTile(pen, item, x, at, colour, "");
    });
    pen.fillStyle = colour("line");
    pen.fillRect(pad, y + height - 1, wide - 2 * pad, 1);
    y += height;
  });
  for (const { from, ghosts } of lanes) {
    const at = top + heights.slice(0, from).reduce((a, b) => a + b, 0);
    ghosts.forEach((ghost, i) => drawTile(pen, ghost.item, wide - pad - lane + tile.gap + i * (tile.w + tile.gap), at + tile.gap, colour, percentText(ghost.percent)));
  }
  if (note) text(pen, note, pad, y + 26, colour("ink-3"), `400 13px ${font}`, wide - 2 * pad);
  return canvas;
}

/** drawTile draws ink, or, with a percent, pencil: dashed and with its number. */
function drawTile(pen: Pen, item: string, x: number, y: number, colour: (name: string) => string, percent: string): void {
  pen.beginPath();
  pen.roundRect(x + 0.75, y + 0.75, tile.w - 1.5, tile.h - 1.5, 7);
  if (percent) {
    pen.strokeStyle = colour("pencil");
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.stroke();
    pen.setLineDash([]);
  } else {
    pen.fillStyle = colour("tile");
    pen.fill();
  }
  const font = colour("font");
  const emoji = store.state.items.get(item)?.emoji;
  const middle = x + tile.w / 2;
  if (emoji) {
    pen.textAlign = "center";
    text(pen, emoji, percent ? x + 20 : middle, y + 34, colour("ink"), `${percent ? 22 : 26}px ${font}`, tile.w);
  }
  if (percent) {
    pen.textAlign = "right";
    text(pen, percent, x + tile.w - 8, y + 28, colour("pencil"), `650 15px ${font}`, tile.w);
  }
  pen.textAlign = "center";
  const name = lines(pen, nameOf(item), `400 13px ${font}`, tile.w - 10, emoji ? 2 : 4);
  name.forEach((line, i) => text(pen, line, middle, y + (emoji ? 56 : 24) + i * 16, colour("ink"), `400 13px ${font}`, tile.w - 10));
  pen.textAlign = "left";
}

function text(pen: Pen, words: string, x: number, y: number, colour: string, style: string, width: number): void {
  pen.fillStyle = colour;
  pen.font = style;
  pen.fillText(fit(pen, words, width), x, y);
}

/** fit cuts words with an ellipsis where they are wider than their place. */
function fit(pen: Pen, words: string, width: number): string {
  if (pen.measureText(words).width <= width) return words;
  let cut = [...words];
  while (cut.length > 1 && pen.measureText(`${cut.join("")}…`).width > width) cut = cut.slice(0, -1);
  return `${cut.join("")}…`;
}

/** lines breaks words into at most so many lines, long ones at their soft hyphens; the last line takes the rest, cut. */
function lines(pen: Pen, words: string, style: string, width: number, most: number): string[] {
  pen.font = style;
  const out: string[] = [];
  const wide = (text: string): boolean => pen.measureText(text).width > width;
  const pieces = words.split(/\s+/).flatMap((word) => (wide(plain(word)) ? word.split("\u00ad").map((part, i) => ({ part, joined: i > 0 })) : [{ part: plain(word), joined: false }]));
  for (const { part, joined } of pieces) {
    const last = out.at(-1);
    const longer = `${last}${joined ? "" : " "}${part}`;
    if (last !== undefined && (!wide(longer) || out.length === most)) out[out.length - 1] = longer;
    else {
      if (joined && last !== undefined) out[out.length - 1] = `${last}-`;
      out.push(part);
    }
  }
  return out.map((line) => fit(pen, line, width));
}
