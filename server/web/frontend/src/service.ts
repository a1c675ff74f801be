// The service behind the page, if there is one: live robots.txt, and earlier versions. The requests here are the only ones after loading,
// and each follows a button that says so.

import { ask, count, flag, list, long, Malformed, maybe, object, type Of, type Shape, table, text } from "./answers";
import { type App, messageOf } from "./app";
import { textOf as decoded } from "./bytes";
import { h } from "./dom";
import { t } from "./messages";

const patience = 60_000; // milliseconds for an answer: the service fetches from the site before
const maxAnswer = 32 << 20; // bytes of an answer: JSON may write a character with six bytes
const maxText = 2 << 20; // characters of a robots.txt

const words = { text: maybe(long), text_base64: maybe(long) };
const written = object(words);
const robotsAnswer = object({ ...words, state: maybe(text), status: maybe(count) });
const answered = object({ state: text, status: maybe(count), url: text, redirects: list(text), content_type: maybe(text), cause: maybe(text), copy: maybe(flag), cut: maybe(flag), max_age: maybe(count) });
const reportAnswer = object({ subject: text, answer: maybe(answered) });
const version = object({ from: text, state: text, status: maybe(count), sha256: maybe(text) });
const historyAnswer = object({ origin: text, versions: list(version), earlier: maybe(text), texts: table(written) });

/** A version of a robots.txt that the service saw. */
export type Version = Of<typeof version>;

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

// question asks the service. A problem is an error with what the service says about it.
async function question<T>(service: string, route: string, shape: Shape<T>, query: Record<string, string>, signal: AbortSignal): Promise<T> {
  const known = (type: string) => (type.endsWith("#no-history") ? t("This service keeps no history: it needs the option --cache FOLDER.") : null);
  const { value } = await ask(`${service}${route}?${new URLSearchParams(query)}`, shape, maxAnswer, AbortSignal.any([signal, AbortSignal.timeout(patience)]), known);
  return value;
}

function textOf(answer: Of<typeof written>): string | null {
  const { text: plain, text_base64: coded } = answer;
  if (plain === undefined && coded === undefined) return null;
  let bytes = "";
  try {
    bytes = coded === undefined ? "" : atob(coded);
  } catch {
    throw new Malformed("no base64");
  }
  const all = plain ?? decoded(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
  if (all.length > maxText) throw new Error(t("The file has more than 2 MiB. Robots read 500 KiB."));
  return all;
}

/** A site whose robots.txt was fetched. */
export interface Site {
  origin: string;
  /** The text, or null without one: then why is a message. */
  text: string | null;
  why: string;
  /** How its server answered, for the report card. */
  answer: object | null;
}

/** Fetches the robots.txt of a site. */
export async function fetchSite(service: string, site: string, signal: AbortSignal): Promise<Site> {
  const origin = originOf(site);
  const [robots, report] = await Promise.all([
    question(service, "robots", robotsAnswer, { origin }, signal),
    question(service, "report", reportAnswer, { url: origin }, signal).catch(() => null), // an older service has none
  ]);
  const text = textOf(robots);
  return { origin: report?.subject ?? origin, text, why: text === null ? whyNone(robots.state ?? "", robots.status) : "", answer: report?.answer ?? null };
}

function whyNone(state: string, status: number | undefined): string {
  const said = status ? String(status) : state === "unreachable" ? t("no answer") : state;
  if (state === "unreachable") return t("Unreachable (%[1]s): closed to all.", said);
  return state === "unavailable" ? t("No robots.txt (%[1]s): open to all.", said) : t("The site has no robots.txt (%[1]s).", said);
}

const maxTexts = 16 << 20; // characters of the texts of a history

/** Returns the newest versions of a site's robots.txt, at most a number of them. */
export async function fetchHistory(service: string, site: string, most: number, signal: AbortSignal): Promise<History> {
  const all: History = { origin: "", versions: [], more: false, texts: new Map() };
  let size = 0;
  for (let before = ""; ; ) {
    const query: Record<string, string> = { origin: originOf(site), limit: String(most - all.versions.length) };
    if (before !== "") query["before"] = before;
    const answer = await question(service, "history", historyAnswer, query, signal);
    for (const [sum, text] of answer.texts) {
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

/** Returns what a person is told of a question that failed. */
export function reasonFor(error: unknown): string {
  if (error instanceof Malformed) return t("The server's answer cannot be read.");
  return error instanceof DOMException || error instanceof TypeError ? t("The server does not answer.") : messageOf(error);
}

/** Returns a form with the name of a site, or nothing without a service. */
export function siteForm(app: App, button: string, submit: (service: string, site: string, signal: AbortSignal) => Promise<void>): HTMLFormElement | null {
  const { service } = app;
  if (service === null) return null;
  const site = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "https://example.com", "aria-label": t("Site") });
  const form = h("form", { class: "live" }, site, h("button", { type: "submit" }, button));
  let before = new AbortController(); // a new question replaces one that is open
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = site.value.trim();
    if (name === "") {
      site.focus();
      return;
    }
    app.say(t("Fetching…"));
    before.abort();
    const mine = new AbortController();
    before = mine;
    submit(service, name, mine.signal).catch((error) => {
      if (!mine.signal.aborted) app.warn(reasonFor(error));
    });
  });
  return form;
}

/** Returns a form that fetches a live robots.txt. */
export function liveForm(app: App, got: (site: Site) => void): HTMLFormElement | null {
  return siteForm(app, t("Fetch"), async (service, name, signal) => {
    const site = await fetchSite(service, name, signal);
    got(site);
    if (site.text === null) throw new Error(site.why);
    app.say(t("%[1]d ⟨line/lines⟩ fetched.", site.text.split("\n").length));
  });
}
