// The service behind the page, if there is one: live robots.txt, and earlier versions. The requests here are the only ones after loading,
// and each follows a button that says so.

import { type App, messageOf } from "./app";
import { h } from "./dom";
import { t } from "./messages";

interface Text {
  text?: string;
  text_base64?: string;
}

/** A version of a robots.txt that the service saw. */
export interface Version {
  from: string;
  state: string;
  status?: number;
  sha256?: string;
}

/** Earlier versions, the newest last. */
export interface History {
  origin: string;
  versions: Version[];
  /** There are earlier versions than these. */
  more: boolean;
  /** The texts by their SHA-256. */
  texts: Map<string, string>;
}

/** Returns the origin that a person means. */
export function originOf(site: string): string {
  return site.includes("://") ? site : `https://${site}`;
}

// ask asks the service, and returns its answer. A problem is an error with what the service says about it.
async function ask<A>(service: string, route: string, query: Record<string, string>): Promise<A> {
  const response = await fetch(`${service}${route}?${new URLSearchParams(query)}`, { credentials: "omit", referrerPolicy: "no-referrer" });
  const answer = (await response.json()) as A & { title?: string; detail?: string; type?: string };
  if (response.ok) return answer;
  if (answer.type?.endsWith("#no-history")) throw new Error(t("This service keeps no history: it needs the option --cache FOLDER."));
  throw new Error(answer.detail ?? answer.title ?? String(response.status));
}

function textOf(answer: Text): string | null {
  if (answer.text !== undefined) return answer.text;
  return answer.text_base64 === undefined ? null : new TextDecoder().decode(Uint8Array.from(atob(answer.text_base64), (c) => c.charCodeAt(0)));
}

/** Returns the robots.txt of a site. */
export async function fetchRobots(service: string, site: string): Promise<string> {
  const answer = await ask<Text & { state?: string; status?: number }>(service, "robots", { origin: originOf(site) });
  const text = textOf(answer);
  if (text === null) throw new Error(t("The site has no robots.txt (%[1]s).", [answer.state, answer.status].filter(Boolean).join(" ")));
  return text;
}

const maxTexts = 16 << 20; // characters of the texts of a history

/** Returns the newest versions of a site's robots.txt, at most a number of them. */
export async function fetchHistory(service: string, site: string, most: number): Promise<History> {
  interface Answer {
    origin: string;
    versions: Version[];
    earlier?: string;
    texts: Record<string, Text>;
  }
  const all: History = { origin: "", versions: [], more: false, texts: new Map() };
  let size = 0;
  for (let before = ""; ; ) {
    const query: Record<string, string> = { origin: originOf(site), limit: String(most - all.versions.length) };
    if (before !== "") query["before"] = before;
    const answer = await ask<Answer>(service, "history", query);
    for (const [sum, text] of Object.entries(answer.texts)) {
      const decoded = textOf(text);
      if (decoded === null || all.texts.has(sum)) continue;
      all.texts.set(sum, decoded);
      size += decoded.length;
    }
    all.origin = answer.origin;
    all.versions.unshift(...answer.versions);
    all.more = answer.earlier !== undefined;
    if (!answer.earlier || answer.versions.length === 0 || all.versions.length >= most || size > maxTexts) return all;
    before = answer.earlier;
  }
}

/** Returns a form with the name of a site, or nothing without a service. */
export function siteForm(app: App, button: string, submit: (service: string, site: string) => Promise<void>): HTMLElement | null {
  const { service } = app;
  if (service === null) return null;
  const site = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "https://example.com", "aria-label": t("Site") });
  const form = h("form", { class: "live" }, site, h("button", { type: "submit" }, button));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = site.value.trim();
    if (name === "") {
      site.focus();
      return;
    }
    app.say(t("Fetching…"));
    submit(service, name).catch((error) => app.warn(messageOf(error)));
  });
  return form;
}

/** Returns a form that fetches a live robots.txt. */
export function liveForm(app: App, got: (text: string, origin: string) => void): HTMLElement | null {
  return siteForm(app, t("Fetch"), async (service, site) => {
    const text = await fetchRobots(service, site);
    got(text, originOf(site));
    app.say(t("%[1]d ⟨line/lines⟩ fetched.", text.split("\n").length));
  });
}
