// Test: search engines that read robots.txt in a way of their own, where their verdict differs from that of RFC 9309.

import { h } from "./dom";
import type { Explained } from "./engine";
import { reasonOf, t } from "./messages";

const names: Record<string, string> = { bing: "Bing", yandex: "Yandex", apple: "Apple" };

function nameOf(engine: string): string {
  return Object.hasOwn(names, engine) ? (names[engine] ?? engine) : engine;
}

// whyOf returns the reason of a difference.
function whyOf(why: string): string {
  switch (why) {
    case "weight":
      return t("engine weight");
    case "empty":
      return t("engine empty");
    case "names":
      return t("engine names");
    case "size":
      return t("engine size");
  }
  return "";
}

/** Returns a row for each engine with another verdict. */
export function engineRows(answer: Explained): HTMLElement[] {
  return answer.engines.map(({ engine, match, why }) =>
    h(
      "tr",
      { class: "differs" },
      h("th", { scope: "row" }, nameOf(engine)),
      h("td", { class: match.allowed ? "open" : "closed" }, match.allowed ? t("open") : t("closed")),
      h("td", {}, match.line ? h("span", {}, t("line %[1]d", match.line), ": ", h("code", {}, match.rule ?? "")) : reasonOf(match.reason), h("p", { class: "hint" }, whyOf(why))),
    ),
  );
}

/** Returns what is to say about the engines under the table. */
export function engineNotes(answer: Explained): HTMLElement[] {
  const notes = answer.engines.filter((e) => e.own).map((e) => h("p", {}, t("%[1]s runs this robot: its verdict is the one that counts.", nameOf(e.engine))));
  const others = answer.asked.filter((name) => !answer.engines.some((e) => e.engine === name));
  if (others.length > 0) notes.push(h("p", { class: "hint" }, t("Other search engines (%[1]s) answer as RFC 9309 does.", others.map(nameOf).join(", "))));
  return notes;
}
