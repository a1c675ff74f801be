// The report of an audit as elements. All its texts come from the engine, in the language of the page.

import type { AuditReport, Case, Cell, Picture, PictureRow, ReportedRobot, Title } from "./auditrun";
import { type Child, h, replace, svg } from "./dom";
import { t } from "./messages";

const shown = 50; // robots that are shown at once

/** Returns a report. The function makes the letter about a robot, which goes by its place. */
export function reportOf(r: AuditReport, letter: (robot: number) => void): HTMLElement[] {
  const text = (name: string) => r.text[name] ?? "";
  const parts: Child[] = [verdictOf(r), r.doubt && h("p", { class: "verdict partly" }, r.doubt), ...(r.facts ?? []).map((fact) => h("p", { class: "hint" }, fact))];
  if (r.picture.rows) parts.push(h("h2", {}, text("picture")), pictureOf(r.picture, r.picture.rows));
  if (r.robots) {
    parts.push(h("h2", {}, text("robots")), robotsTable(r, r.robots, letter), r.more && h("p", {}, r.more), h("p", { class: "hint" }, text("meaning")), h("p", { class: "hint" }, t("Robots are as they call themselves: this page verifies none.")));
  }
  if (r.paths) parts.push(h("h2", {}, text("paths")), wide(text("paths"), r.path_titles, r.paths), r.more_paths && h("p", { class: "hint" }, r.more_paths));
  if (r.worst) parts.push(h("h2", {}, text("worst")), ...r.worst.map((c) => caseOf(c)));
  if (r.suspects) {
    parts.push(
      h("h2", {}, text("suspects")),
      h("p", {}, text("suspicion")),
      ...r.suspects.map((s) => h("details", { class: "suspect" }, h("summary", {}, h("strong", {}, s.name), " ", h("span", { class: "hint" }, s.requests)), h("ul", {}, ...(s.evidence ?? []).map((e) => h("li", {}, e))), s.header && h("pre", {}, s.header))),
      r.more_suspects && h("p", { class: "hint" }, r.more_suspects),
    );
  }
  const table = (name: string, titles: Title[], rows: Cell[][] | null, hint?: string) => {
    if (rows) parts.push(h("details", { class: "part" }, h("summary", {}, h("h2", {}, text(name))), hint && h("p", {}, hint), wide(text(name), titles, rows)));
  };
  table("peaks", r.peak_titles, r.peaks, text("peaksMean"));
  const titleOf = (name: string, number: boolean) => ({ text: text(name), number, side: false });
  table("unjudged", [titleOf("request", true), titleOf("reason", false)], r.reasons);
  table("hosts", r.host_titles, r.hosts);
  table("versions", r.version_titles, r.versions);
  if (r.notes) parts.push(h("h2", {}, text("notes")), h("ul", { class: "notes" }, ...r.notes.map((note) => h("li", {}, note))));
  const all = h("div", { class: "report" }, ...parts);
  return [all];
}

function verdictOf(r: AuditReport): HTMLElement {
  let text = r.verdict;
  if (r.nothing === "requests") text = t("no line of the logs could be read: choose their format");
  if (r.nothing === "hosts" || r.nothing === "versions") text = t("nothing could be judged: name the host in the logs whose robots.txt is in the editor");
  return h("p", { class: `verdict ${r.bad ? "closed" : r.nothing ? "partly" : "open"}` }, h("strong", {}, text));
}

// robotsTable returns the table of robots. What a row opens is made when it is opened: all of it may be a hundred thousand elements.
function robotsTable(r: AuditReport, robots: ReportedRobot[], letter: (robot: number) => void): HTMLElement {
  const bodies = (from: number, to: number) => robots.slice(from, to).map((robot, i) => bodyOf(r, robot, () => letter(from + i)));
  const table = h("table", { class: "robots" }, h("thead", {}, h("tr", {}, ...r.titles.map(headOf))), ...bodies(0, shown));
  const more = h("button", { type: "button", hidden: robots.length <= shown }, t("Show all %[1]d robots", robots.length));
  more.addEventListener("click", () => {
    more.hidden = true;
    table.append(...bodies(shown, robots.length));
  });
  return h("div", {}, h("div", { class: "wide", role: "region", tabindex: 0, "aria-label": r.text["robots"] }, table), more);
}

function headOf(title: Title): HTMLElement {
  return h("th", { scope: "col", class: `${title.number ? "n" : ""} ${title.side ? "side" : ""}`.trim() }, title.text);
}

function bodyOf(r: AuditReport, robot: ReportedRobot, letter: () => void): HTMLElement {
  const below = h("div", {});
  const details = h("details", {}, h("summary", {}, robot.opener, h("span", { class: "sr" }, ` ${robot.name}`)), below);
  details.addEventListener("toggle", () => {
    if (!details.open || below.hasChildNodes()) return;
    replace(
      below,
      robot.none && h("p", {}, robot.none),
      h("dl", {}, ...robot.facts.filter((f) => f.text).map((f) => h("div", { class: f.side ? "fold" : "" }, h("dt", {}, f.name), h("dd", {}, f.text)))),
      ...(robot.cases ?? []).map((c) => caseOf(c)),
      robot.more && h("p", {}, robot.more),
      robot.bad && h("button", { type: "button", click: letter }, t("Letter to the operator")),
    );
  });
  return h(
    "tbody",
    {},
    h("tr", { class: robot.bad ? "bad" : "" }, h("th", { scope: "row" }, robot.name), ...robot.cells.map(cellOf)),
    h("tr", { class: "more" }, h("td", { colspan: r.titles.length }, details)),
  );
}

function cellOf(cell: Cell): HTMLElement {
  return h("td", { class: `${cell.number ? "n" : ""} ${cell.class}`.trim() }, cell.text);
}

function caseOf(c: Case): HTMLElement {
  return h("article", { class: "change closed" }, c.robot && h("h3", {}, c.robot), h("p", {}, c.robot ? c.head : h("strong", {}, c.head)), h("p", { class: "hint" }, c.version), h("pre", {}, h("b", {}, c.place), " ", c.line));
}

function wide(name: string, titles: Title[], rows: Cell[][]): HTMLElement {
  return h("div", { class: "wide", role: "region", tabindex: 0, "aria-label": name }, h("table", {}, h("thead", {}, h("tr", {}, ...titles.map(headOf))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map(cellOf))))));
}

// pictureOf returns who came, when, how much, and who obeyed.
function pictureOf(p: Picture, rows: PictureRow[]): HTMLElement {
  const figure = h("figure", { class: "load" });
  for (const row of rows) {
    const bars = () => svg("svg", { viewBox: `0 0 ${p.width} ${p.height}`, preserveAspectRatio: "none", role: "img", "aria-label": row.label }, ...(row.bars ?? []).map((b) => svg("rect", { x: b.x, y: b.y, width: b.width, height: b.height, class: b.class }, svg("title", {}, b.title))));
    const line = h("div", { class: "row" }, h("p", {}, h("strong", {}, row.name), ...row.said.flatMap((s) => [" ", h("span", { class: s.class }, s.text)])));
    figure.append(line);
    if (p.width > 0) setTimeout(() => line.append(bars())); // each has hundreds of elements: the page answers between them
  }
  if (p.width === 0) return figure;
  const axis = (p.ticks ?? []).flatMap((tick) => [svg("line", { x1: `${tick.x}%`, x2: `${tick.x}%`, y2: 4 }), svg("text", { x: `${tick.x}%`, y: 16, "text-anchor": tick.anchor }, tick.text)]);
  figure.append(h("div", { class: "row" }, h("p", {}), svg("svg", { class: "axis", "aria-hidden": "true" }, ...axis)), h("figcaption", { class: "hint" }, p.scale));
  return figure;
}
