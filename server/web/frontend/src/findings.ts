// The linter's findings, as a list under the editor.

import { type App, messageOf, newest } from "./app";
import { h, replace } from "./dom";
import type { Diagnostic, Report } from "./engine";
import { t } from "./messages";

const maxListed = 100;

/** A list of what is wrong with the text. */
export class Findings {
  readonly element = h("section", { class: "findings waiting", "aria-label": t("Findings") });
  private readonly title = h("h2", {}, t("Findings"));
  private readonly list = h("ol", { class: "plain" });

  readonly update: () => void;

  constructor(private readonly app: App) {
    replace(this.element, this.title, this.list);
    this.update = newest(async () => {
      const text = app.state.text;
      try {
        this.show(text, await app.engine.lint(text, app.language));
      } catch (error) {
        this.element.classList.remove("waiting");
        this.title.textContent = t("Findings");
        replace(this.list, h("li", { class: "wrong" }, messageOf(error)));
      }
    });
  }

  private show(text: string, report: Report): void {
    const { editor } = this.app;
    const all = report.diagnostics;
    const repair = (d: Diagnostic) => {
      if (!d.fix || this.app.state.text !== text) return; // the places of the fix are those of this text
      editor.apply(d.fix.edits);
      this.app.say(d.fix.title);
    };
    const omitted = Object.values(report.omitted ?? {}).reduce((a, b) => a + b, 0);
    const more = Math.max(all.length - maxListed, 0) + omitted;
    this.element.classList.remove("waiting");
    replace(this.title, all.length === 0 ? t("No findings") : t("%[1]d ⟨finding/findings⟩", all.length + omitted));
    replace(
      this.list,
      ...all.slice(0, maxListed).map((d) =>
        h(
          "li",
          { class: `finding ${d.severity}` },
          h("button", { type: "button", class: "where", click: () => editor.go(d.line, d.column) }, d.line === 0 ? t("the file") : t("line %[1]d", d.line)),
          h("span", { class: "severity" }, t(d.severity)),
          h("span", { class: "message" }, d.message, " ", h("code", { class: "check" }, d.check)),
          d.fix && h("button", { type: "button", class: "fix", click: () => repair(d) }, d.fix.title),
        ),
      ),
      more > 0 && h("li", { class: "hint" }, t("and %[1]d more", more)),
    );
    setTimeout(() => editor.mark(text, all, repair)); // the list is drawn first
  }
}
