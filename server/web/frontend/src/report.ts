// Report: the card that the command prints without a verb: what the file says in words, its mistakes, and what to do next.

import { type App, later, messageOf, newest, type View } from "./app";
import { askBox } from "./askbox";
import { h, replace } from "./dom";
import type { Card, CardLine } from "./engine";
import { t } from "./messages";
import { viewOf } from "./state";

/** Returns the view. */
export function reportView(app: App): View {
  const sheet = h("div", { class: "sheet" });
  const work = newest(async () => {
    if (!app.known) return;
    const { site } = app;
    try {
      const card = await app.engine.card(site ? (site.text ?? "") : app.state.text, app.language, site?.origin ?? "", site?.answer ?? null);
      replace(sheet, ...partsOf(app, card));
      sheet.dataset["drawn"] = String(Number(sheet.dataset["drawn"] ?? 0) + 1);
    } catch (error) {
      replace(sheet, h("p", { class: "wrong" }, messageOf(error)));
    }
  });
  const ask = askBox(app, (site) => app.got(site));
  const soon = later(150, () => {
    ask.update();
    work();
  });
  let first = true;
  return {
    editor: true,
    above: ask.element,
    element: h("div", { class: "view report-card" }, sheet),
    update() {
      if (first && app.known) {
        ask.update();
        work();
      } else {
        soon();
      }
      first = !app.known;
    },
  };
}

// partsOf returns a card as elements.
function partsOf(app: App, { card, sheet, steps }: Card): HTMLElement[] {
  const parts: HTMLElement[] = [h("h2", {}, sheet.head)];
  if (sheet.redirects) parts.push(h("p", { class: "hint" }, sheet.redirects));
  if (sheet.not_robots) parts.push(h("p", { class: "wrong" }, sheet.not_robots));
  if (sheet.rows.length > 0) {
    parts.push(h("dl", {}, ...sheet.rows.map((row) => h("div", {}, h("dt", {}, row.label), h("dd", {}, ...[...row.lines, ...(row.beneath ?? [])].map((line) => lineOf(app, line)))))));
  }
  parts.push(h("h3", {}, sheet.next || t("Next")));
  parts.push(
    h(
      "ul",
      { class: "plain next" },
      ...card.next.map(({ command, does }, i) => h("li", {}, stepOf(app, does, steps[i] ?? {}), " ", h("code", { class: "hint" }, command))),
      h("li", {}, h("button", { type: "button", click: () => app.go("build") }, t("Choose what it says, and see what that costs"))),
    ),
  );
  return parts;
}

// lineOf returns a line, which leads to the line of robots.txt that it is about.
function lineOf(app: App, { text, tone, at }: CardLine): HTMLElement {
  const name = tone === "good" ? "open" : tone === "bad" ? "closed" : "";
  if (!at || app.site?.text === null) return h("p", {}, h("span", { class: name }, text));
  return h("p", {}, h("button", { type: "button", class: `where ${name}`.trim(), click: () => app.editor.go(at) }, text));
}

// stepOf returns a button for a command that the page has too, or what only the command does.
function stepOf(app: App, does: string, step: Card["steps"][number]): HTMLElement {
  const click = () => {
    const view = viewOf(step.view);
    if (view) {
      app.go(view, {
        ...(step.robots && { robots: step.robots }),
        ...(step.address && { addresses: step.address }),
        ...(step.purposes && { blocked: step.purposes }),
      });
    } else if (step.view === "fetch") {
      document.querySelector<HTMLFormElement>(".live")?.requestSubmit();
    } else {
      const findings = document.querySelector<HTMLElement>(".findings");
      findings?.scrollIntoView({ block: "nearest" });
      findings?.querySelector<HTMLElement>("button.fix, button")?.focus();
    }
  };
  return step.view ? h("button", { type: "button", click }, does) : h("span", {}, does);
}
