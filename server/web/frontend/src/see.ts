// See: how much of the site is open to each known robot, as a picture.

import { type App, messageOf, newest, type View } from "./app";
import { h, replace, save } from "./dom";
import { purposeName } from "./editor";
import type { Reach, Reached } from "./engine";
import { number, t } from "./messages";
import { dark, layout, light, type Picture, type Row, type Square, toPNG, toSVG } from "./picture";
import { isDark } from "./theme";

const order: Reach[] = ["closed", "partly", "undecided", "open"];
const maxOperators = 24;

/** Returns the view. */
export function seeView(app: App): View {
  let reached: Reached[] = [];
  let by: "purpose" | "operator" = "purpose";
  let picture: Picture | null = null;
  const host = h("div", { class: "picture" });
  const lists = h("div", { class: "lists" });
  const words = h("section", { class: "words", "aria-live": "polite" }); // how much of the site is open: a colour has no share
  const choice = (value: typeof by, label: string) => {
    const input = h("input", {
      type: "radio",
      name: "by",
      value,
      checked: by === value,
      change: () => {
        by = value;
        draw();
      },
    });
    return h("label", { class: "choice" }, input, label);
  };

  const update = newest(async () => {
    if (!app.known) return;
    try {
      reached = await app.engine.reach(app.state.text);
      draw();
      const { sheet } = await app.engine.card(app.state.text, app.language, "", null);
      replace(words, ...sheet.rows.filter((row) => row.lines.length > 0).slice(0, -3).map((row) => h("p", {}, h("strong", {}, row.label), ": ", row.lines.map((l) => l.text).join("; "))));
    } catch (error) {
      picture = null;
      replace(host, h("p", { class: "wrong" }, messageOf(error)));
    }
  });

  function draw(): void {
    const known = app.known;
    if (!known || reached.length === 0) return;
    const squares: Square[] = known.robots.map((r) => ({ name: r.token, reach: "open" }));
    for (const g of reached) for (const i of g.robots) (squares[i] as Square).reach = g.reach;
    const rows = new Map<string, Square[]>();
    known.robots.forEach((robot, i) => {
      const keys = by === "purpose" ? robot.purposes : [robot.operator ?? ""];
      for (const key of keys) rows.set(key, [...(rows.get(key) ?? []), squares[i] as Square]);
    });
    const list = rowsOf(rows, by, known.purposes);
    const counts = order.map((reach) => [reach, squares.filter((s) => s.reach === reach).length] as const).filter(([reach, n]) => n > 0 || reach !== "undecided");
    const palette = isDark() ? dark : light;
    const width = Math.min(Math.max(host.clientWidth || 960, 300), 960);
    const title = t("What this robots.txt says to %[1]d known robots", squares.length);
    picture = layout(
      width,
      title,
      counts.map(([reach, n]) => ({ reach, text: `${reachName(reach)} ${number(n)}` })),
      list,
      palette,
    );
    replace(host, toSVG(picture, palette));
    replace(
      lists,
      ...list.map((row) =>
        h(
          "details",
          {},
          h("summary", {}, `${row.title} (${number(row.squares.length)})`),
          ...order.map((reach) => {
            const names = row.squares.filter((s) => s.reach === reach).map((s) => s.name);
            return names.length > 0 && h("p", {}, h("strong", { class: reach }, reachName(reach)), " ", names.join(", "));
          }),
        ),
      ),
    );
  }

  const palette = () => (isDark() ? dark : light);
  const saveSVG = () => {
    if (!picture) return;
    const text = new XMLSerializer().serializeToString(toSVG(picture, palette()));
    save("robots.svg", new Blob([text], { type: "image/svg+xml" }));
  };
  const savePNG = async () => {
    if (picture) save("robots.png", await toPNG(picture, palette()));
  };

  let width = 0;
  new ResizeObserver(() => {
    if (host.clientWidth === width) return;
    width = host.clientWidth;
    draw();
  }).observe(host);

  return {
    editor: true,
    element: h(
      "div",
      { class: "view see" },
      h(
        "div",
        { class: "bar" },
        h("fieldset", { class: "choices" }, h("legend", { class: "sr" }, t("Order")), choice("purpose", t("by purpose")), choice("operator", t("by operator"))),
        h("span", { class: "grow" }),
        h("button", { type: "button", click: saveSVG }, t("Save as %[1]s", "SVG")),
        h("button", { type: "button", click: () => void savePNG() }, t("Save as %[1]s", "PNG")),
      ),
      host,
      words,
      h("h2", {}, t("By name")),
      lists,
    ),
    update,
  };
}

// rowsOf returns the rows of a picture: purposes in their order, or operators by the number of their robots.
function rowsOf(rows: Map<string, Square[]>, by: "purpose" | "operator", purposes: string[]): Row[] {
  const sorted = (squares: Square[]) => [...squares].sort((a, b) => order.indexOf(a.reach) - order.indexOf(b.reach) || a.name.localeCompare(b.name));
  if (by === "purpose") {
    return purposes.filter((p) => rows.has(p)).map((p) => ({ title: purposeName(p), squares: sorted(rows.get(p) ?? []) }));
  }
  const named = [...rows].filter(([name]) => name !== "").sort((a, b) => b[1].length - a[1].length || a[0].localeCompare(b[0]));
  const shown = named.slice(0, maxOperators).map(([title, squares]) => ({ title, squares: sorted(squares) }));
  const rest = [...named.slice(maxOperators).flatMap(([, squares]) => squares), ...(rows.get("") ?? [])];
  return rest.length > 0 ? [...shown, { title: t("others"), squares: sorted(rest) }] : shown;
}

/** Returns the name of how much is open. */
export function reachName(reach: Reach): string {
  switch (reach) {
    case "open":
      return t("open");
    case "closed":
      return t("closed");
    case "partly":
      return t("partly open");
    case "undecided":
      return t("undecided");
  }
}
