// Prove: whether sentences about robots.txt hold for all paths, or a path for which one does not.

import { type App, later, linesOf, messageOf, newest, type View } from "./app";
import { area } from "./compare";
import { h, replace } from "./dom";
import type { Proof } from "./engine";
import { reasonOf, t } from "./messages";

const maxLines = 100; // that are proven one by one

/** Returns the view. */
export function proveView(app: App): View {
  const result = h("div", { "aria-live": "polite" });
  const update = newest(async () => {
    try {
      const { claims } = await app.engine.prove(app.state.text, app.state.claims);
      replace(result, proofs(claims, (line) => app.editor.go(line)));
    } catch (error) {
      const lines = linesOf(app.state.claims, maxLines);
      if (lines.length < 2) {
        replace(result, h("p", { class: "wrong" }, messageOf(error)));
        return;
      }
      // one line may be unfinished: the others have their answers
      const answers = await Promise.all(lines.map((line) => app.engine.prove(app.state.text, line).catch((error: unknown) => error)));
      replace(
        result,
        ...answers.map((a, i) =>
          a instanceof Error ? h("p", { class: "wrong" }, h("span", { class: "claim" }, lines[i] ?? ""), ": ", messageOf(a).replace(/^claims:1: /, "")) : proofs((a as { claims: Proof[] }).claims, (line) => app.editor.go(line)),
        ),
      );
    }
  });
  const soon = later(100, update);
  return {
    editor: true,
    element: h(
      "div",
      { class: "view prove" },
      area(
        t("Claims"),
        app.state.claims,
        8,
        (text) => {
          app.state.claims = text;
          app.keep();
          soon();
        },
        t("One a line, in English: GPTBot may not fetch /; ai-train may not fetch /; only Googlebot may fetch /x/; /ads.txt is open to all."),
      ),
      result,
    ),
    update,
  };
}

/** Returns proofs as a list. */
export function proofs(claims: Proof[], go?: (line: number) => void): HTMLElement {
  return h(
    "ul",
    { class: "plain proofs" },
    ...claims.map((c) =>
      h(
        "li",
        { class: c.holds ? "open" : "closed" },
        h("strong", {}, c.holds ? t("holds") : c.decided ? t("does not hold") : t("undecided")),
        " ",
        h("span", { class: "claim" }, c.text),
        c.witness !== undefined &&
          h(
            "p",
            {},
            c.agent === "*" || !c.agent ? t("any other robot") : c.agent,
            " ",
            h("code", {}, c.witness),
            ": ",
            c.match?.allowed ? t("open") : t("closed"),
            c.match?.line ? h("span", {}, ", ", go ? h("button", { type: "button", class: "where", click: () => go(c.match?.line ?? 0) }, t("line %[1]d", c.match.line)) : t("line %[1]d", c.match.line), " ", h("code", {}, c.match.rule ?? "")) : c.match ? `, ${reasonOf(c.match.reason)}` : "",
          ),
      ),
    ),
  );
}
