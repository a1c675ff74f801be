// One box for whoever has a question: it takes a page, a site, a path or the text of a robots.txt, and says in a sentence for each robot that
// matters whether it may fetch the page.

import { type App, messageOf, newest } from "./app";
import { h, replace, unique } from "./dom";
import { purposeName } from "./editor";
import type { Explained, Robot, Verdict } from "./engine";
import { reasonOf, t } from "./messages";
import { fetchSite, reasonFor, type Site } from "./service";

// matter are the robots about which everybody asks: two of search engines, and those that decide about AI.
const matter = ["Googlebot", "bingbot", "OAI-SearchBot", "GPTBot", "ClaudeBot", "Google-Extended", "CCBot"];

// files are the ends of names of files that look like hosts.
const files = /\.(?:html?|php|txt|xml|pdf|jpe?g|png|gif|webp|svg|css|js|json)$/i;

/** Returns the URL or path that a person means, or null for a text that is a robots.txt. */
export function meant(text: string): string | null {
  const line = text.trim();
  if (/[\r\n]/.test(line) || /^(?:user-agent|disallow|allow|sitemap)\s*:/i.test(line)) return null;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(line) || line.startsWith("/")) return line;
  const [host = ""] = line.split(/[/?#]/);
  const isHost = /^(?:[^\s./:]+\.)+[^\s./:]+(?::\d+)?$/u.test(host) || /^(?:localhost|\[[\da-f:.]+\])(?::\d+)?$/i.test(host);
  return isHost && !(host === line && files.test(line)) ? `https://${line}` : `/${line}`;
}

interface Ask {
  readonly element: HTMLElement;
  update(): void;
}

/** Returns the box. Got takes a site that it fetched. */
export function askBox(app: App, got: (site: Site) => void): Ask {
  const { service } = app;
  const id = unique();
  const input = h("input", { type: "text", id, inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "https://example.com/page", value: app.state.url, "aria-describedby": `${id}h` });
  const answer = h("div", { class: "answer", "aria-live": "polite" });
  const form = h("form", { class: service === null ? "ask" : "ask live" }, input, h("button", { type: "submit" }, t("Ask")));
  let failed = ""; // why the last question has no answer
  let before = new AbortController(); // a new question replaces one that is open

  const update = newest(async () => {
    const { url, text } = app.state;
    if (!app.known) return;
    const { site } = app;
    if (failed !== "" || url === "" || (site?.text === null && site.origin === originOf(url))) {
      replace(answer, (failed || site?.why) && h("p", { class: failed === "" ? "" : "wrong" }, failed || site?.why));
      return;
    }
    try {
      const all = [...matter.filter((name) => app.known?.robots.some((r) => r.token === name)), "*"];
      const answers = await Promise.all(all.map((name) => app.engine.explain(text, name, url, app.language)));
      const list = answers.map((a, i) => sentence(app, all[i] ?? "*", a));
      const from = app.source === "" ? t("This is by the robots.txt in the editor.") : t("This is by the robots.txt in the editor, which is from %[1]s.", app.source);
      replace(
        answer,
        h("h2", {}, t("May robots fetch %[1]s?", url)),
        h("ul", { class: "plain sentences" }, ...list),
        h("p", { class: "hint" }, from, " ", h("button", { type: "button", class: "where", click: () => app.go("test", { addresses: url, robots: "" }) }, t("All robots"))),
      );
    } catch (error) {
      replace(answer, h("p", { class: "wrong" }, messageOf(error)));
    }
  });

  const ask = async (value: string, signal: AbortSignal) => {
    const url = meant(value);
    if (url === null) {
      app.put(value.replace(/^\s+/, ""), "");
      app.say(t("The text is in the editor."));
      return;
    }
    app.state.url = url;
    app.keep();
    const origin = originOf(url);
    if (service !== null && origin !== null && app.source !== origin) {
      app.say(t("Fetching…"));
      got(await fetchSite(service, origin, signal));
      if (app.site?.text !== null) app.say(t("%[1]d ⟨line/lines⟩ fetched.", app.state.text.split("\n").length));
    }
    update();
  };
  const submit = (value: string) => {
    if (value.trim() === "") {
      input.focus();
      return;
    }
    before.abort();
    const mine = new AbortController();
    before = mine;
    failed = "";
    document.getElementById("warnings")?.replaceChildren(); // about an earlier question
    ask(value, mine.signal).catch((error) => {
      if (mine.signal.aborted) return;
      failed = reasonFor(error);
      app.warn(failed);
      update();
    });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(input.value);
  });
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\r\n]/.test(text.trim())) return; // an address: a field of one line takes it
    event.preventDefault();
    submit(text);
  });
  const hint = service === null ? t("A page, a path, or the text of a robots.txt. This page cannot fetch: paste or open the robots.txt of the site.") : t("A page, a site, a path, or the text of a robots.txt. The robots.txt of the site is fetched.");
  return { element: h("section", { class: "askbox", "aria-label": t("May robots fetch this page?") }, h("label", { for: id }, t("May robots fetch this page?")), form, h("p", { class: "hint", id: `${id}h` }, hint), answer), update };
}

function originOf(url: string): string | null {
  try {
    const { protocol, origin } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

// sentence says whether a robot may fetch the page, and because of which line.
function sentence(app: App, name: string, answer: Explained): HTMLElement {
  const own = answer.engines.find((e) => e.own)?.match;
  const match = own ?? answer.dialects[0]?.explanation.match;
  if (!match) return h("li", {}, name);
  const robot = app.known?.robots.find((r) => r.token === name);
  const text = h("span", { class: match.allowed ? "open" : "closed" }, saying(name, robot, match.allowed));
  return h("li", {}, text, " ", because(app, match));
}

function saying(name: string, robot: Robot | undefined, allowed: boolean): string {
  if (!robot) return allowed ? t("All other robots may fetch it.") : t("All other robots may not fetch it.");
  const does = robot.purposes.map(purposeName).join(", ");
  if (robot.policy_only) return allowed ? t("%[1]s may use it for: %[2]s (%[3]s).", robot.operator ?? "", does, name) : t("%[1]s may not use it for: %[2]s (%[3]s).", robot.operator ?? "", does, name);
  const who = `${name} (${[robot.operator, does].filter(Boolean).join(", ")})`;
  return allowed ? t("%[1]s may fetch it.", who) : t("%[1]s may not fetch it.", who);
}

// because leads to the line that decides.
function because(app: App, match: Verdict): HTMLElement {
  if (!match.line) return h("span", { class: "hint" }, match.reason === "robots-file" ? reasonOf(match.reason) : t("No line closes it."));
  const { line } = match;
  return h("span", { class: "hint" }, h("button", { type: "button", class: "where", click: () => app.editor.go(line) }, t("line %[1]d", line)), " ", h("code", {}, match.rule ?? ""));
}
