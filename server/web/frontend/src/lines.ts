// The lines that a text loses and gets, as diff -u shows them.

import { h } from "./dom";
import { t } from "./messages";

const maxLines = 2000; // that are shown

/** Returns the difference of lines as an element. Its signs say what its colours say, and screen readers hear it as text that is removed or added. */
export function linesThatChange(unified: string, name: string): HTMLElement {
  const lines = unified.split("\n").slice(2, -1); // after the names of the files
  const rows = lines.slice(0, maxLines).map((line) => {
    const sign = line[0];
    if (sign === "+") return h("ins", {}, line, "\n");
    if (sign === "-") return h("del", {}, line, "\n");
    return h("span", { class: sign === "@" ? "hunk" : "" }, line, "\n");
  });
  return h("pre", { class: "lines", role: "region", tabindex: 0, "aria-label": name }, ...rows, lines.length > maxLines && t("and %[1]d more", lines.length - maxLines));
}
