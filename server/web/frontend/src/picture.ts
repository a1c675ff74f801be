// A picture of squares, one for each robot, drawn as SVG for the page and for slides, and on a canvas for PNG.

import { svg } from "./dom";
import type { Reach } from "./engine";

export interface Square {
  name: string;
  reach: Reach;
}

export interface Row {
  title: string;
  squares: Square[];
}

export interface Legend {
  reach: Reach;
  text: string;
}

export interface Palette {
  paper: string;
  text: string;
  muted: string;
  line: string;
  open: string;
  partly: string;
  closed: string;
}

export const light: Palette = { paper: "#ffffff", text: "#1f2328", muted: "#59636e", line: "#d1d9e0", open: "#1a7f37", partly: "#9a6700", closed: "#b3261e" };
export const dark: Palette = { paper: "#11161d", text: "#e6edf3", muted: "#9198a1", line: "#30363d", open: "#3fb950", partly: "#d29922", closed: "#ff7b72" };

type Shape =
  | { kind: "rect"; x: number; y: number; width: number; height: number; fill: string; stroke?: string; title?: string }
  | { kind: "text"; x: number; y: number; size: number; weight: number; fill: string; anchor: "start" | "end"; text: string };

/** A picture that is laid out. */
export interface Picture {
  width: number;
  height: number;
  title: string;
  shapes: Shape[];
}

const margin = 28;
const step = 16; // from a square to the next
const side = 12;
const labels = 190; // width of the titles of rows
const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK KR', sans-serif";

/** Lays out a picture of a width in pixels. */
export function layout(width: number, title: string, legends: Legend[], rows: Row[], p: Palette): Picture {
  const shapes: Shape[] = [];
  const narrow = width < 620;
  const left = narrow ? margin / 2 : margin + labels;
  const edge = narrow ? margin / 2 : margin;
  let y = edge + 18;
  for (const line of wrap(title, (width - 2 * edge) / 12)) {
    shapes.push({ kind: "text", x: edge, y, size: 20, weight: 600, fill: p.text, anchor: "start", text: line });
    y += 26;
  }
  y += 2;
  let x = edge;
  for (const legend of legends) {
    const length = 22 + wide(legend.text) * 7.4 + 18;
    if (x + length > width && x > edge) {
      x = edge;
      y += 22;
    }
    square(shapes, x, y - 11, legend.reach, p);
    shapes.push({ kind: "text", x: x + 20, y, size: 13.5, weight: 400, fill: p.text, anchor: "start", text: legend.text });
    x += length;
  }
  y += 20;
  const perLine = Math.max(Math.floor((width - edge - left) / step), 4);
  for (const row of rows) {
    shapes.push({ kind: "rect", x: edge, y, width: width - 2 * edge, height: 1, fill: p.line });
    y += 9;
    const text = row.title;
    const count = String(row.squares.length);
    if (narrow) {
      shapes.push({ kind: "text", x: edge, y: y + 12, size: 13.5, weight: 600, fill: p.text, anchor: "start", text });
      shapes.push({ kind: "text", x: width - edge, y: y + 12, size: 13, weight: 400, fill: p.muted, anchor: "end", text: count });
      y += 20;
    } else {
      shapes.push({ kind: "text", x: edge, y: y + 11, size: 13.5, weight: 600, fill: p.text, anchor: "start", text: clip(text, 21) });
      shapes.push({ kind: "text", x: left - 14, y: y + 11, size: 13, weight: 400, fill: p.muted, anchor: "end", text: count });
    }
    for (const [i, s] of row.squares.entries()) square(shapes, left + (i % perLine) * step, y + Math.floor(i / perLine) * step, s.reach, p, s.name);
    y += Math.ceil(row.squares.length / perLine) * step + 6;
  }
  return { width, height: y + edge / 2, title, shapes };
}

// square draws a robot: closed is full, partly is half full, open is empty, so that nobody needs the colours.
function square(shapes: Shape[], x: number, y: number, reach: Reach, p: Palette, title?: string): void {
  const colour = reach === "open" ? p.open : reach === "closed" ? p.closed : reach === "partly" ? p.partly : p.muted;
  const outer: Shape = { kind: "rect", x: x + 0.75, y: y + 0.75, width: side - 1.5, height: side - 1.5, fill: reach === "closed" ? colour : p.paper, stroke: colour };
  if (title) outer.title = title;
  shapes.push(outer);
  if (reach === "partly") shapes.push({ kind: "rect", x: x + 0.75, y: y + side / 2, width: side - 1.5, height: side / 2 - 0.75, fill: colour });
}

// wide returns the length of a text in letters of Latin; those of Korean are wider.
function wide(text: string): number {
  let n = 0;
  for (const c of text) n += c > "\u2E80" ? 1.8 : 1;
  return n;
}

function clip(text: string, most: number): string {
  if (wide(text) <= most) return text;
  let short = "";
  for (const c of text) {
    if (wide(short) >= most - 1) break;
    short += c;
  }
  return `${short}…`;
}

function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && wide(line) + wide(word) + 1 > most) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}

/** Returns a picture as SVG. */
export function toSVG(picture: Picture, p: Palette): SVGSVGElement {
  const { width, height } = picture;
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${Math.ceil(height)}`, width, height: Math.ceil(height), role: "img", "aria-label": picture.title, "font-family": font },
    svg("title", {}, picture.title),
    svg("rect", { width, height: Math.ceil(height), fill: p.paper }),
    ...picture.shapes.map((s) =>
      s.kind === "text"
        ? svg("text", { x: s.x, y: s.y, "font-size": s.size, "font-weight": s.weight, fill: s.fill, "text-anchor": s.anchor }, s.text)
        : svg("rect", { x: s.x, y: s.y, width: s.width, height: s.height, fill: s.fill, rx: s.stroke ? 2 : null, stroke: s.stroke, "stroke-width": s.stroke ? 1.5 : null }, s.title ? svg("title", {}, s.title) : null),
    ),
  );
}

/** Returns a picture as PNG, with two pixels for one. */
export function toPNG(picture: Picture, p: Palette): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = picture.width * 2;
  canvas.height = Math.ceil(picture.height) * 2;
  const context = canvas.getContext("2d");
  if (!context) return Promise.reject(new Error("this browser has no canvas"));
  context.scale(2, 2);
  context.fillStyle = p.paper;
  context.fillRect(0, 0, picture.width, picture.height + 1);
  for (const s of picture.shapes) {
    context.fillStyle = s.fill;
    if (s.kind === "text") {
      context.font = `${s.weight} ${s.size}px ${font}`;
      context.textAlign = s.anchor;
      context.fillText(s.text, s.x, s.y);
      continue;
    }
    context.beginPath();
    context.roundRect(s.x, s.y, s.width, s.height, s.stroke ? 2 : 0);
    context.fill();
    if (s.stroke) {
      context.strokeStyle = s.stroke;
      context.lineWidth = 1.5;
      context.stroke();
    }
  }
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"));
}
