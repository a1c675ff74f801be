// Compare: what another version of robots.txt changes, proven for all paths, each change with a path that shows it.

import { type App, later, messageOf, newest, type View } from "./app";
import { textOf } from "./bytes";
import { field, h, replace } from "./dom";
import { Editor } from "./editor";
import type { Difference, Verdict } from "./engine";
import { liveForm } from "./service";
import { reasonOf, t } from "./messages";
import { timeline } from "./timeline";

const maxFile = 2 << 20; // bytes of a file that is opened

/** Returns the view. */
export function compareView(app: App): View {
  const result = h("div", { class: "changes", "aria-live": "polite" });
  const after = new Editor(app.state.after, (text) => {
    app.state.after = text;
    app.keep();
    soon();
  });
  const label = t("robots.txt after");
  after.name(label);

  const update = newest(async () => {
    if (app.known) after.learn(app.known);
    try {
      replace(result, ...changes(await app.engine.diff(app.state.text, app.state.after)));
    } catch (error) {
      replace(result, h("p", { class: "wrong" }, messageOf(error)));
    }
  });
  const soon = later(100, update);
  const from = h("p", { class: "hint source" });
  const put = (text: string, source: string) => {
    after.text = text;
    from.textContent = source;
  };
  const swap = () => {
    const before = app.state.text;
    const source = app.source;
    app.put(after.text, from.textContent ?? "");
    put(before, source);
    app.keep();
  };
  const file = h("input", { type: "file", accept: ".txt,text/plain", class: "sr", tabindex: -1, "aria-hidden": "true" });
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    if (chosen.size > maxFile) app.warn(t("The file has more than 2 MiB. Robots read 500 KiB."));
    else void chosen.arrayBuffer().then((bytes) => put(textOf(new Uint8Array(bytes)), chosen.name));
  });

  return {
    editor: true,
    element: h(
      "div",
      { class: "view compare" },
      h("div", { class: "bar" }, h("h2", { class: "grow" }, label), file, h("button", { type: "button", click: () => file.click() }, t("Open…")), h("button", { type: "button", click: swap }, t("Swap"))),
      liveForm(app, ({ text, origin }) => text !== null && put(text, origin)),
      from,
      after.element,
      result,
      timeline(app, { before: app.put.bind(app), after: put }),
    ),
    update,
  };
}

/** Returns a difference as elements. */
export function changes(d: Difference): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (d.equal) parts.push(h("p", { class: "verdict open" }, t("No robot gets another answer for any path: that is proven.")));
  if (!d.decided) parts.push(h("p", { class: "wrong" }, t("The proof took too many cases: there may be more changes.")));
  if (d.changes.length > 0) parts.push(h("h2", {}, t("%[1]d ⟨change/changes⟩", d.changes.length)));
  for (const c of d.changes) {
    parts.push(
      h(
        "article",
        { class: `change ${c.direction === "closed" ? "closed" : "open"}` },
        h("h3", { class: "direction" }, t(c.direction === "closed" ? "now closed for %[1]s" : "now open for %[1]s", names([...c.agents, ...(c.followers ?? [])]))),
        h("p", {}, ...c.patterns.flatMap((p) => [h("code", {}, p), " "])),
        h(
          "dl",
          {},
          h("div", {}, h("dt", {}, t("For example")), h("dd", {}, h("code", {}, c.witness))),
          h("div", {}, h("dt", {}, t("Before")), h("dd", {}, ...verdict(c.before))),
          h("div", {}, h("dt", {}, t("After")), h("dd", {}, ...verdict(c.after))),
        ),
      ),
    );
  }
  if (d.records.length > 0) {
    parts.push(h("h2", {}, t("Other lines")));
    parts.push(
      h(
        "ul",
        { class: "plain" },
        ...d.records.map((r) => h("li", {}, h("strong", {}, r.added ? t("added") : t("removed")), " ", h("code", {}, `${r.field}: ${r.value}`), r.agents && r.agents.length > 0 ? ` ${t("for %[1]s", names(r.agents))}` : "")),
      ),
    );
  }
  return parts;
}

function names(agents: string[]): string {
  const shown = agents.map((a) => (a === "*" ? t("for these: all others") : a));
  return shown.length > 12 ? `${shown.slice(0, 12).join(", ")} … (${shown.length})` : shown.join(", ");
}

function verdict(v: Verdict): (Node | string)[] {
  const word = h("span", { class: v.allowed ? "open" : "closed" }, v.allowed ? t("open") : t("closed"));
  return v.line ? [word, ` · ${t("line %[1]d", v.line)}: `, h("code", {}, v.rule ?? "")] : [word, " · ", reasonOf(v.reason)];
}

/** Returns a labelled text field that calls changed with its text. */
export function area(label: string, value: string, rows: number, changed: (text: string) => void, hint?: string): HTMLElement {
  const control = h("textarea", { rows, spellcheck: "false" });
  control.value = value;
  control.addEventListener("input", () => changed(control.value));
  return field(label, control, hint);
}
