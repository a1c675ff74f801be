// Test: the verdicts on addresses for all known robots, or for some, as a table. A cell opens the
// explanation of its verdict.

import { type App, linesOf, messageOf, newest, type View } from "./app";
import { lostAt } from "./bytes";
import { field, h, replace, save } from "./dom";
import { engineNotes, engineRows } from "./engines";
import type { Explained, Group, Matrix } from "./engine";
import { Grid } from "./grid";
import { number, outcomeOf, reasonOf, t } from "./messages";

export const maxAddresses = 200;
const maxColumns = 40; // that are shown at once

/** Returns the names of robots that a field gives. The engine knows which commas are between names, and which in a header. */
export function namesOf(text: string): string[] {
  return linesOf(text, 100);
}

/** Returns the addresses of a field. A host without "https://", and a path without "/" before it, are what a person means by them. */
export function addressesOf(text: string): string[] {
  return linesOf(text, maxAddresses).map((line) => {
    if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(line) || line.startsWith("/") || /\s/.test(line)) return line;
    return /^(?:[\w-]+\.)+[a-z][\w-]*(?::\d+)?\/|^(?:[\w-]+\.)+(?:com|org|net|example)$/i.test(line) ? `https://${line}` : `/${line}`;
  });
}

// commonOf returns the origin that all addresses have, or "": a telephone has no room for it in each row.
function commonOf(urls: string[]): string {
  const origin = /^https?:\/\/[^/?#]+(?=[/?#])/i.exec(urls[0] ?? "")?.[0] ?? "";
  return origin !== "" && urls.length > 1 && urls.every((url) => url.startsWith(origin) && /^[/?#]/.test(url.slice(origin.length))) ? origin : "";
}

// quoted returns a cell of CSV. A program for tables does not take it for a formula.
function quoted(cell: string): string {
  return `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
}

interface Column {
  name: string;
  more: string;
  title: string;
  /** Its place in Matrix.groups. */
  group: number;
  /** The robot about which a cell asks. */
  robot: string;
}

// always are robots that have a column of their own, though they obey the same group as others: everybody asks about them first.
const always = ["Googlebot", "bingbot"];

// columnsOf returns a column for each group, and for each robot that a person named.
function columnsOf(app: App, groups: Group[]): Column[] {
  const columns: Column[] = [];
  const isNamed = groups.some((g) => g.names.length > 0);
  for (const robot of isNamed ? [] : always) {
    const place = app.known?.robots.findIndex((r) => r.token === robot) ?? -1;
    const group = groups.findIndex((g) => g.robots.includes(place));
    if (group >= 0 && titleOf(app, groups[group] as Group).name !== robot) columns.push({ name: robot, more: "", title: robot, group, robot });
  }
  for (const [group, g] of groups.entries()) {
    if (isNamed) {
      for (const robot of g.names) columns.push({ name: robot, more: "", title: robot, group, robot });
      continue;
    }
    const { name, robots } = titleOf(app, g);
    const others = robots.length - (g.others ? 0 : 1);
    columns.push({ name, more: others > 0 ? (g.others ? number(others) : `+${number(others)}`) : "", title: robots.slice(0, 60).join(", "), group, robot: g.others ? "*" : (robots[0] ?? "*") });
  }
  return columns;
}

/** Returns notes about names that nobody knows. */
export function notesOf(notes: string[] = []): HTMLElement[] {
  return notes.length > 0 ? [h("strong", { class: "wrong" }, notes.join(" "))] : [];
}

/** Returns the name of a group's robots, for a heading. */
export function titleOf(app: App, group: Group): { name: string; robots: string[] } {
  const robots = group.names.length > 0 ? group.names : group.robots.map((i) => app.known?.robots[i]?.token ?? "");
  if (group.others) return { name: group.names.length === 0 ? t("all others") : group.name || "*", robots };
  const own = robots.find((r) => r.toLowerCase() === group.name.toLowerCase());
  return { name: own ?? robots[0] ?? group.name, robots };
}

/** Returns the view. */
export function testView(app: App): View {
  const addresses = h("textarea", {
    rows: 6,
    spellcheck: "false",
    wrap: "off",
    input: () => {
      app.state.addresses = addresses.value;
      changed();
    },
  });
  addresses.value = app.state.addresses;
  const list = h("datalist", { id: "robots" });
  const robots = h("input", {
    type: "text",
    list: "robots",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: t("all known robots"),
    focus: () => offer(),
    input: () => {
      app.state.robots = robots.value;
      changed();
    },
  });
  robots.value = app.state.robots;
  const summary = h("p", { class: "summary" });
  const limits = h("div");
  const why = h("section", { class: "why", "aria-live": "polite" });
  const more = h("button", { type: "button", hidden: true, click: () => showAll() });
  const keep = h("button", { type: "button", class: "where", click: () => save("robots.csv", new Blob([`\ufeff${csv()}\r\n`], { type: "text/csv;charset=utf-8" })) }, t("Save as %[1]s", "CSV"));
  let limit = maxColumns;
  let shown: Matrix | null = null;
  let urls: string[] = [];
  let open: { robot: string; url: string } | null = null;

  let columns: Column[] = [];

  const grid = new Grid((row, column) => {
    const robot = columns[column]?.robot;
    const url = urls[row];
    if (robot === undefined || url === undefined) return;
    open = { robot, url };
    explain();
  });

  urls = addressesOf(app.state.addresses);
  grid.show(urls, [], () => -1); // the table has its rows before the engine has its verdicts

  const explain = newest(async () => {
    if (!open) return;
    const asked = open;
    try {
      const answer = await app.engine.explain(app.state.text, asked.robot, asked.url, app.language);
      app.editor.highlight(answer.dialects[0]?.explanation.match.line ?? 0);
      replace(why, ...explanation(app, asked.robot, asked.url, answer));
    } catch (error) {
      app.editor.highlight(0);
      replace(why, h("p", { class: "wrong" }, messageOf(error)));
    }
  });

  const update = newest(async () => {
    const asked = addressesOf(app.state.addresses);
    const names = namesOf(app.state.robots);
    try {
      shown = await app.engine.matrix(app.state.text, asked, names, app.language);
      urls = asked;
      draw();
    } catch (error) {
      replace(summary, messageOf(error));
    }
    if (open) explain();
  });

  function draw(): void {
    if (!shown) return;
    const { groups, verdicts } = shown;
    const all = columnsOf(app, groups);
    columns = all.slice(0, limit);
    const common = commonOf(urls);
    grid.name(common === "" ? t("Address") : t("Address at %[1]s", common));
    grid.show(urls.map((url) => url.slice(common.length)), columns, (row, column) => verdicts[columns[column]?.group ?? -1]?.[row] ?? -1);
    more.hidden = all.length <= columns.length;
    more.textContent = t("Show all %[1]d groups", groups.length);
    const lost = lostAt(app.state.text);
    replace(limits, lost > 0 && h("p", { class: "wrong" }, t("Google and Bing read 500 KiB: line %[1]d and all after it are lost to them.", lost)));
    const count = groups.reduce((sum, g) => sum + (g.names.length || g.robots.length), 0);
    replace(summary, t("%[1]d ⟨robot/robots⟩ in %[2]d ⟨group/groups⟩", count, groups.length), ". ", ...sums(), t("A number is the line that decides; a click on a cell says why."), " ", ...notesOf(shown.notes), " ", keep);
    grid.element.dataset["drawn"] = String(Number(grid.element.dataset["drawn"] ?? 0) + 1);
  }

  // sums says how many addresses are closed to the robots that come first.
  function sums(): HTMLElement[] {
    if (urls.length < 2) return [];
    return columns.slice(0, 3).map((column) => {
      const closed = urls.filter((_, row) => verdictAt(column, row) >= 0 && (verdictAt(column, row) & 1) === 0).length;
      return h("span", { class: "sum" }, h("strong", {}, column.name), ": ", t("%[1]d of %[2]d closed", closed, urls.length), ". ");
    });
  }

  function verdictAt(column: Column, row: number): number {
    return shown?.verdicts[column.group]?.[row] ?? -1;
  }

  // csv returns the whole table.
  function csv(): string {
    const all = shown ? columnsOf(app, shown.groups) : [];
    const word = (value: number) => (value < 0 ? t("no URL") : value & 1 ? t("open") : t("closed"));
    const lines = [[t("Address"), ...all.flatMap((c) => [c.name, t("line of %[1]s", c.name)])], ...urls.map((url, row) => [url, ...all.flatMap((c) => [word(verdictAt(c, row)), verdictAt(c, row) >> 4 > 0 ? String(verdictAt(c, row) >> 4) : ""])])];
    return lines.map((line) => line.map(quoted).join(",")).join("\r\n");
  }

  // offer fills the list of names. It is long, so it waits until it is needed.
  function offer(): void {
    if (app.known && list.childElementCount === 0) replace(list, ...app.known.robots.map((r) => h("option", { value: r.token }, r.operator ?? r.name)));
  }

  function showAll(): void {
    limit = Number.POSITIVE_INFINITY;
    draw();
    grid.focus();
  }

  function changed(): void {
    app.keep();
    update();
  }

  return {
    editor: true,
    element: h(
      "div",
      { class: "view test" },
      h(
        "div",
        { class: "inputs" },
        field(t("Addresses"), addresses, t("One a line: paths or whole URLs.")),
        field(t("Robots"), robots, t("Names with commas between them. Without names: all known robots, by the groups of robots.txt that they obey.")),
        list,
      ),
      summary,
      limits,
      grid.element,
      more,
      why,
    ),
    update,
  };
}

// explanation returns an answer as elements.
function explanation(app: App, robot: string, url: string, answer: Explained): HTMLElement[] {
  const first = answer.dialects[0];
  if (!first) return [];
  const { match, group, candidates } = first.explanation;
  const line = (n: number) => h("button", { type: "button", class: "where", click: () => app.editor.go(n) }, t("line %[1]d", n));
  const parts: HTMLElement[] = [
    h("h2", {}, t("Why?")),
    h(
      "p",
      { class: `verdict ${match.allowed ? "open" : "closed"}` },
      h("strong", {}, match.allowed ? t("open") : t("closed")),
      " ",
      h("code", {}, url),
      " · ",
      h("span", {}, robot === "*" ? t("all others") : robot),
    ),
    h("p", {}, match.line ? h("span", {}, line(match.line), " ", h("code", {}, match.rule ?? "")) : reasonOf(match.reason)),
    h("p", { class: "hint" }, group === "" ? t("No group is for this robot.") : t("The robot obeys the group of %[1]s.", group)),
  ];
  if (candidates.length > 1) {
    parts.push(
      h("h3", {}, t("Rules that match")),
      h("ol", { class: "plain rules" }, ...candidates.map((c, i) => h("li", { class: i === 0 ? "wins" : "loses" }, line(c.line), " ", h("code", {}, c.rule), " ", h("span", { class: "hint" }, outcomeOf(c.outcome))))),
    );
  }
  const now = answer.dialects.filter((d) => !old.has(d.dialect));
  const before = answer.dialects.filter((d) => old.has(d.dialect));
  const same = answer.engines.length === 0 && now.every((d) => d.explanation.match.allowed === match.allowed);
  const row = (d: Explained["dialects"][number]) => {
    const m = d.explanation.match;
    return h(
      "tr",
      { class: m.allowed === match.allowed ? "" : "differs" },
      h("th", { scope: "row" }, dialectName(d.dialect)),
      h("td", { class: m.allowed ? "open" : "closed" }, m.allowed ? t("open") : t("closed")),
      h("td", {}, m.line ? h("span", {}, t("line %[1]d", m.line), ": ", h("code", {}, m.rule ?? "")) : reasonOf(m.reason)),
    );
  };
  const table = (...rows: HTMLElement[]) => h("table", { class: "dialects" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Reading")), h("th", { scope: "col" }, t("Verdict")), h("th", { scope: "col" }, t("Because of")))), h("tbody", {}, ...rows));
  parts.push(
    h("h3", {}, same ? t("The readings of robots.txt agree") : t("Readings of robots.txt differ")),
    table(...now.map(row), ...engineRows(answer)),
    ...engineNotes(answer),
    h("details", {}, h("summary", {}, t("Readings before RFC 9309")), table(...before.map(row))),
  );
  return parts;
}

// old are the dialects of documents that RFC 9309 replaced.
const old = new Set(["koster1994", "koster1996", "kollar1996"]);

const dialects: Record<string, string> = {
  rfc9309: "RFC 9309 (2022)",
  google: "Google",
  koster1994: "Koster, 1994",
  koster1996: "Koster, 1996",
  kollar1996: "Kollar, 1996",
};

function dialectName(name: string): string {
  return dialects[name] ?? name;
}
