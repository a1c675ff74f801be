// A page's rules: what the HTML and the headers of a page tell robots.

import { type App, later, linesOf, messageOf, newest, type View } from "./app";
import { area } from "./compare";
import { field, h, replace } from "./dom";
import type { PageAnswer } from "./engine";
import { t } from "./messages";
import { namesOf, notesOf } from "./test";

/** Returns the view. */
export function pageView(app: App): View {
  const result = h("div", { class: "page-result", "aria-live": "polite" });
  let robots = "Googlebot, bingbot, GPTBot";
  const update = newest(async () => {
    const names = namesOf(robots);
    const asked = names.length > 0 ? ["*", ...names] : ["*"];
    try {
      const answer = await app.engine.page(app.state.html, headersOf(app.state.headers), app.state.url.trim(), asked, app.language);
      replace(result, ...rules(answer));
    } catch (error) {
      replace(result, h("p", { class: "wrong" }, messageOf(error)));
    }
  });
  const soon = later(100, update);
  const keep = (name: "url" | "headers" | "html") => (text: string) => {
    app.state[name] = text;
    app.keep();
    soon();
  };
  const url = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", value: app.state.url, input: () => keep("url")(url.value) });
  const who = h("input", { type: "text", autocomplete: "off", spellcheck: "false", value: robots });
  who.addEventListener("input", () => {
    robots = who.value;
    soon();
  });
  return {
    editor: false,
    element: h(
      "div",
      { class: "view pagerules two" },
      h(
        "section",
        {},
        field("URL", url),
        area(t("Headers of the answer"), app.state.headers, 4, keep("headers"), t("One a line, such as X-Robots-Tag: noindex.")),
        area("HTML", app.state.html, 12, keep("html")),
      ),
      h("section", {}, field(t("Robots"), who), result),
    ),
    update,
  };
}

// headersOf returns headers by name and value. Lines without a colon, such as the status line, are left out.
function headersOf(text: string): [string, string][] {
  return linesOf(text, 200).flatMap((line): [string, string][] => {
    const at = line.indexOf(":");
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : [];
  });
}

function rules(a: PageAnswer): HTMLElement[] {
  const parts: HTMLElement[] = [
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Robot")), h("th", { scope: "col" }, t("What it is told")))),
      h("tbody", {}, ...a.for.map(({ agent, sentence }) => h("tr", {}, h("th", { scope: "row" }, agent === "*" ? t("any robot") : agent), h("td", {}, sentence)))),
    ),
    ...notesOf(a.notes),
  ];
  const directives = a.directives;
  parts.push(h("h2", {}, directives.length === 0 ? t("No directives") : t("%[1]d ⟨directive/directives⟩", directives.length)));
  if (directives.length > 0) {
    parts.push(
      h(
        "ul",
        { class: "plain" },
        ...directives.map((d) => h("li", {}, h("code", {}, d.value ? `${d.name}: ${d.value}` : d.name), d.robot ? ` ${t("for %[1]s", d.robot)}` : "", d.error ? h("span", { class: "wrong" }, ` ${t("asks nothing: see the findings")}`) : "")),
      ),
    );
  }
  if (a.diagnostics.length > 0) {
    parts.push(h("h2", {}, t("Findings")));
    parts.push(h("ul", { class: "plain" }, ...a.diagnostics.map((d) => h("li", {}, d.message, " ", h("code", { class: "check" }, d.check)))));
  }
  return parts;
}
