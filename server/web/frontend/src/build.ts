// Build: switches by purpose close a site to robots. The file is made beside them, with proofs that it says so.

import { type App, later, linesOf, messageOf, newest, type View } from "./app";
import { hasBytes } from "./bytes";
import { area, changes } from "./compare";
import { h, replace, save } from "./dom";
import { Editor, purposeName } from "./editor";
import type { Built, Card } from "./engine";
import { number, t } from "./messages";
import { proofs } from "./prove";

// closedTo returns the robots to which the whole site is closed.
function closedTo(says: { state: string; robots: string[] }[]): string[] {
  return says.filter((s) => s.state === "closed").flatMap((s) => s.robots);
}

const famous = ["Googlebot", "bingbot", "Applebot", "DuckDuckBot", "YandexBot", "Baiduspider"];

// engines returns the search engines to which the whole site is closed, those that most people know first.
function engines({ card }: Card): string[] {
  const closed = closedTo(card.purposes.find((p) => p.purpose === "search")?.says ?? []);
  return [...famous.filter((name) => closed.includes(name)), ...closed.filter((name) => !famous.includes(name))];
}

/** Returns the view. */
export function buildView(app: App): View {
  const switches = h("fieldset", { class: "switchlist" });
  const result = h("div", { "aria-live": "polite" });
  const alarm = h("div", { class: "changes" });
  const states = new Map<string, HTMLElement>(); // of purposes, in words
  const output = new Editor("", () => {}, false);
  output.name(t("The new robots.txt"));
  const blocked = new Set(app.state.blocked.split(",").filter(Boolean));
  const spared = new Set(app.state.spared.split(",").filter(Boolean));

  const update = newest(async () => {
    const known = app.known;
    if (!known) return;
    if (switches.childElementCount === 0) fillSwitches();
    const purposes = known.purposes.filter((p) => blocked.has(p));
    const paths = linesOf(app.state.closed, 100);
    const wishes = [...purposes.map((robots) => ({ robots, allow: false, path: "" })), ...paths.map((path) => ({ robots: "*", allow: false, path })), ...[...spared].map((robots) => ({ robots, allow: true, path: "" }))];
    const claims = [...purposes.map((p) => `${closedOf(p)} may not fetch /`), ...paths.map((p) => `* may not fetch ${p}`)].join("\n");
    if (hasBytes(app.state.text)) {
      output.text = "";
      replace(alarm);
      replace(result, h("p", { class: "wrong" }, t("The robots.txt has bytes that are not UTF-8: write them as %XX first, or they would be lost.")));
      return;
    }
    try {
      const built = await app.engine.build(app.state.text, wishes, claims, app.language);
      show(built);
      await warn(built.file?.text ?? null);
    } catch (error) {
      output.text = "";
      replace(result, h("p", { class: "wrong" }, messageOf(error)));
    }
  });
  const soon = later(100, update);

  // warn shows what the robots.txt in the editor says by purpose, what the new file changes, its mistakes, and an alarm if it closes the site to search.
  async function warn(text: string | null): Promise<void> {
    const before = await app.engine.card(app.state.text, app.language, "", null);
    for (const { purpose, says } of before.card.purposes) {
      const state = states.get(purpose);
      const n = closedTo(says).length;
      if (state) state.textContent = n > 0 ? ` · ${t("%[1]d closed now", n)}` : "";
    }
    if (text === null) {
      replace(alarm);
      return;
    }
    const after = await app.engine.card(text, app.language, "", null);
    const difference = await app.engine.diff(app.state.text, text);
    const was = new Set(engines(before));
    const lost = engines(after).filter((name) => !was.has(name));
    const { mistakes } = after.card;
    replace(
      alarm,
      lost.length > 0 && h("p", { class: "verdict closed", role: "alert" }, h("strong", {}, t("This closes the site to search: %[1]s. People will not find its pages there any more.", lost.length > 8 ? `${lost.slice(0, 8).join(", ")}, …` : lost.join(", ")))),
      ...mistakes.findings.map((f) => h("p", { class: f.severity === "error" ? "wrong" : "hint" }, t("line %[1]d", f.line), ": ", f.message)),
      h("details", {}, h("summary", {}, t("What changes")), ...changes(difference)),
    );
  }

  // closedOf returns the robots of a purpose for a claim: the purpose, or its robots without those that are left open.
  function closedOf(purpose: string): string {
    const robots = (app.known?.robots ?? []).filter((r) => r.purposes.includes(purpose));
    const rest = robots.filter((r) => !spared.has(r.token));
    return rest.length === robots.length ? purpose : rest.map((r) => r.token).join(", ");
  }

  function spare(name: string, on: boolean): void {
    if (on) spared.add(name);
    else spared.delete(name);
    app.state.spared = [...spared].join(",");
    app.keep();
    soon();
  }

  // note returns a note. One that proposes the option --allow of a command has a button in its place.
  function note(text: string): HTMLElement {
    const option = /^(.*): --allow ([\w.-]+)(?![\w.=-])/s.exec(text);
    const name = option?.[2];
    if (!option || !name) return h("li", {}, text);
    return h("li", {}, option[1], " ", h("button", { type: "button", class: "where", click: () => spare(name, true) }, t("Leave %[1]s open", name)));
  }

  function fillSwitches(): void {
    const known = app.known;
    if (!known) return;
    replace(
      switches,
      h("legend", {}, t("Closed to robots for")),
      ...known.purposes.map((purpose) => {
        const robots = known.robots.filter((r) => r.purposes.includes(purpose));
        const input = h("input", { type: "checkbox", role: "switch", value: purpose });
        input.checked = blocked.has(purpose);
        input.addEventListener("change", () => {
          if (input.checked) blocked.add(purpose);
          else blocked.delete(purpose);
          app.state.blocked = [...blocked].join(",");
          app.keep();
          soon();
        });
        const state = h("span", {});
        states.set(purpose, state);
        return h("label", { class: "switch", title: robots.slice(0, 40).map((r) => r.token).join(", ") }, input, h("span", {}, purposeName(purpose)), h("span", { class: "hint" }, number(robots.length), state));
      }),
    );
  }

  function show(built: Built): void {
    output.text = built.file?.text ?? "";
    const problems = built.error?.problems ?? [];
    const claims = built.file?.claims ?? built.error?.claims ?? [];
    const notes = built.file?.notes ?? built.error?.notes ?? [];
    replace(
      result,
      ...(problems.length > 0 ? [h("p", { class: "wrong" }, t("No file could be built:")), h("ul", { class: "plain" }, ...problems.slice(0, 50).map((p) => h("li", {}, p.message)))] : []),
      ...(claims.length > 0 ? [h("h3", {}, t("Proven for all paths")), proofs(claims)] : []),
      ...(notes.length > 0 ? [h("h3", {}, t("Notes")), h("ul", { class: "plain" }, ...notes.slice(0, 50).map(note))] : []),
      ...(spared.size > 0 ? [h("h3", {}, t("Left open")), h("ul", { class: "plain" }, ...[...spared].map((name) => h("li", {}, h("code", {}, name), " ", h("button", { type: "button", class: "where", click: () => spare(name, false) }, t("Close")))))] : []),
    );
  }

  const use = () => {
    if (output.text === "") return;
    app.editor.text = output.text;
    app.say(t("The new robots.txt is in the editor."));
  };
  return {
    editor: true,
    element: h(
      "div",
      { class: "view build" },
      h("p", { class: "hint" }, t("The new file starts from the robots.txt in the editor, and keeps its rules. Each switch closes the site to the robots of one purpose.")),
      switches,
      area(
        t("Paths that are closed to all"),
        app.state.closed,
        2,
        (text) => {
          app.state.closed = text;
          app.keep();
          soon();
        },
        t("One a line, such as /cart/."),
      ),
      h(
        "div",
        { class: "bar" },
        h("h2", { class: "grow" }, t("The new robots.txt")),
        h("button", { type: "button", click: use }, t("Use it")),
        h("button", { type: "button", click: () => save("robots.txt", new Blob([output.text], { type: "text/plain" })) }, t("Save")),
      ),
      alarm,
      output.element,
      result,
    ),
    update,
  };
}
