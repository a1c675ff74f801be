// Crawl: how a crawl goes, its hosts and why they wait, and a search over the pages that it gathered. The pages are strangers', and so
// are their titles, texts and addresses: all of them are text here.

import { type App, messageOf, type View } from "./app";
import { type Child, field, h } from "./dom";
import { ask, morph, poll, Refused, serviceOf, Times } from "./live";
import { hasText, languages, number, t, type TextName } from "./messages";

interface Host {
  origin: string;
  queued: number;
  done: number;
  wait: string;
  why: string;
  next?: string;
  since?: string;
  reasons?: Record<string, number>;
  pages?: number;
  octets?: number;
  failures?: number;
  robots?: { state: string; status?: number; cause?: string; fresh_until: string; group?: string; rules: number; crawl_delay?: number; closed?: boolean };
  urls?: { url: string; due?: string; tries?: number }[];
}

interface Status {
  state: string;
  began?: string;
  counts: { hosts: number; seen: number; queued: number; done: number };
  pages: number;
  octets: number;
  busy: number;
  waiting: number;
  waits: Record<string, number>;
  reasons: Record<string, number>;
  hosts: Host[] | null;
  user_agent?: string;
}

interface Results {
  total: number;
  from?: number;
  hits: { url: string; title?: string; snippet: { text: string; marks?: { start: number; end: number }[] }; fetched_at?: string; language?: string }[];
}

const listed = 50; // hosts
const page = 10; // hits

/** Returns the view. */
export function crawlView(app: App): View {
  const service = serviceOf("robots-crawl") ?? "";
  const times = new Times(app.language);
  const offline = h("div", { role: "status" });
  const summary = h("div", { class: "tallies" });
  const hosts = h("ul", { class: "plain hosts" });
  const counts = h("div", {});
  const found = h("div", { class: "found", tabindex: -1 });
  const words = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  words.value = app.state.search;

  let answered = 0;
  let told: Status | null = null;
  let opened: Host | null = null; // what is told of the host that is open
  let now = 0;

  const element = h(
    "div",
    { class: "view crawl" },
    offline,
    summary,
    h(
      "div",
      { class: "beside" },
      h(
        "section",
        { "aria-label": t("Search") },
        h("h2", {}, t("Search")),
        h(
          "form",
          {
            role: "search",
            class: "searching",
            submit: (event: SubmitEvent) => {
              event.preventDefault();
              app.state.search = words.value.trim();
              app.keep();
              void search(0);
            },
          },
          field(t("Words on pages"), words, t('"polite robots", -fish, site:example.com, lang:es')),
          h("button", { type: "submit" }, t("Search")),
        ),
        found,
      ),
      h("section", { "aria-label": t("Hosts") }, h("h2", {}, t("Hosts with something to do")), hosts, counts),
    ),
  );

  const failed = (error: unknown) => {
    const said = error instanceof Refused ? messageOf(error) : t("The server does not answer.");
    const since = answered > 0 ? [" ", t("This is what it said"), " ", times.at(new Date(answered).toISOString()), "."] : [];
    morph(offline, h("p", { class: "warning offline" }, h("span", {}, said, ...since)));
  };

  poll<Status>(element, {
    url: () => `${service}crawl?limit=${listed}`,
    show(status, time) {
      if (told && told.state !== status.state) app.say(stateName(status));
      told = status;
      now = time;
      answered = time;
      morph(offline);
      draw();
    },
    failed,
  });
  const againHost = poll<Status>(element, {
    url: () => (app.state.host === "" ? null : `${service}crawl/host?${new URLSearchParams({ name: app.state.host, limit: "20" })}`),
    show(status) {
      opened = status.hosts?.[0] ?? null;
      draw();
    },
    failed() {
      // The other question says it.
    },
  });

  function draw(): void {
    if (!told) return;
    morph(summary, ...tallies(told, times, now));
    const all = told.hosts ?? [];
    const open = app.state.host;
    const first = opened && !all.some((host) => host.origin === open) ? [opened] : []; // a host that has nothing to do any more
    morph(
      hosts,
      ...[...first, ...all].map((host) => hostItem(host, host.origin === open ? (opened ?? host) : null, times, now)),
      all.length === 0 && first.length === 0 && h("li", { class: "hint", "data-key": "none" }, t("No host has anything to do.")),
      told.busy + told.waiting > all.length && h("li", { class: "hint", "data-key": "more" }, t("and %[1]d more", told.busy + told.waiting - all.length)),
    );
    morph(counts, ...table(t("What hosts wait for"), "wait", told.waits), ...table(t("Not visited, by reason"), "left", told.reasons));
  }

  hosts.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const origin = button?.closest<HTMLElement>("[data-key]")?.dataset["key"];
    if (origin === undefined) return;
    app.state.host = app.state.host === origin ? "" : origin;
    opened = null;
    app.keep();
    draw();
    againHost();
  });

  async function search(from: number): Promise<void> {
    if (app.state.search === "") {
      morph(found);
      return;
    }
    try {
      const { value } = await ask<Results>(`${service}search?${new URLSearchParams({ q: app.state.search, from: String(from), limit: String(page) })}`);
      found.replaceChildren();
      morph(found, ...results(value, times, search));
      app.say(t("%[1]d ⟨page/pages⟩ found", value.total));
      if (from > 0) found.focus();
    } catch (error) {
      morph(found, h("p", { class: "wrong" }, error instanceof Refused ? messageOf(error) : t("The server does not answer.")));
    }
  }
  if (app.state.search !== "") setTimeout(() => void search(0));
  return { editor: false, element, update() {} };
}

function stateName(s: Status): string {
  if (s.state === "running") return t("crawl running");
  if (s.state === "killed") return t("crawl killed");
  return s.counts.queued === 0 ? t("crawl finished") : t("crawl stopped");
}

function tallies(s: Status, times: Times, now: number): HTMLElement[] {
  const figure = (n: number, name: string) => h("li", { class: "figure", "data-key": name }, h("strong", {}, number(n)), " ", name);
  return [
    h(
      "ul",
      { class: "plain" },
      h("li", { class: `state is-${s.state}`, "data-key": "state" }, stateName(s)),
      figure(s.counts.done, t("visited")),
      figure(s.counts.queued, t("queued")),
      figure(s.counts.seen, t("addresses known")),
      figure(s.counts.hosts, t("hosts")),
      s.state === "running" && figure(s.busy, t("asked now")),
    ),
    h(
      "p",
      { class: "hint" },
      s.began ? h("span", {}, t("began"), " ", times.near(s.began, now), ` · ${t("%[1]d ⟨page/pages⟩ fetched", s.pages)} · ${t("%[1]d ⟨byte/bytes⟩", s.octets)}`, s.user_agent ? " · " : "") : null,
      s.user_agent ? h("bdi", {}, s.user_agent) : null,
    ),
  ];
}

// nameOf returns the text of a word of the server. A word of a later version stands as it is.
function nameOf(kind: "wait" | "left", word: string): string {
  const name = `${kind} ${word}`;
  return hasText(name) ? t(name as TextName) : word;
}

function table(title: string, kind: "wait" | "left", by: Record<string, number>): HTMLElement[] {
  const rows = Object.entries(by).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (rows.length === 0) return [];
  return [
    h("h3", { "data-key": `${kind} title` }, title),
    h("table", { class: "counts", "data-key": kind }, h("tbody", {}, ...rows.map(([word, n]) => h("tr", { "data-key": word }, h("th", { scope: "row" }, nameOf(kind, word)), h("td", {}, number(n)))))),
  ];
}

function hostItem(host: Host, open: Host | null, times: Times, now: number): HTMLElement {
  return h(
    "li",
    { class: "site", "data-key": host.origin },
    h("div", { class: "head" }, h("button", { type: "button", class: "where", "aria-expanded": String(open !== null) }, h("bdi", {}, host.origin)), h("span", { class: "hint grow" }, t("%[1]d visited, %[2]d queued", host.done, host.queued))),
    h("p", { class: "hint" }, nameOf("wait", host.wait), host.next && Date.parse(host.next) > now ? h("span", {}, " · ", times.near(host.next, now)) : null, host.since ? h("span", {}, " · ", t("since"), " ", times.near(host.since, now)) : null),
    open && details(open, times),
  );
}

function details(host: Host, times: Times): HTMLElement {
  const fact = (name: string, ...value: Child[]) => h("div", {}, h("dt", {}, name), h("dd", {}, ...value));
  const r = host.robots;
  return h(
    "dl",
    { "data-key": "details" },
    fact(t("Why it waits"), h("bdi", {}, host.why)),
    r && fact("robots.txt", [r.status || r.state, r.cause, r.closed ? t("nothing is allowed") : r.group ? `${t("group %[1]s", r.group)}, ${t("%[1]d ⟨rule/rules⟩", r.rules)}` : t("No group is for this robot."), r.crawl_delay ? `Crawl-delay ${number(r.crawl_delay)}` : ""].filter(Boolean).join(" · "), " · ", t("fresh until"), " ", times.at(r.fresh_until)),
    host.pages ? fact(t("Fetched"), t("%[1]d ⟨page/pages⟩ fetched", host.pages), " · ", t("%[1]d ⟨byte/bytes⟩", host.octets ?? 0)) : null,
    host.reasons && Object.keys(host.reasons).length > 0 ? fact(t("Not visited, by reason"), Object.entries(host.reasons).map(([word, n]) => `${nameOf("left", word)}: ${number(n)}`).join(" · ")) : null,
    host.urls && host.urls.length > 0 ? fact(t("Next addresses"), h("ul", { class: "plain" }, ...host.urls.map((u) => h("li", { "data-key": u.url }, h("bdi", {}, h("code", {}, u.url)))))) : null,
  );
}

// results returns what a search found. A title leads to the page, without a word to it about this page.
function results(r: Results, times: Times, turn: (from: number) => Promise<void>): HTMLElement[] {
  const from = r.from ?? 0;
  return [
    h("p", { class: "summary" }, r.total === 0 ? t("No page has these words.") : t("%[1]d ⟨page/pages⟩ found", r.total)),
    h(
      "ol",
      { class: "plain hits", start: from + 1 },
      ...r.hits.map((hit) =>
        h(
          "li",
          {},
          h("h3", {}, h("a", { href: hit.url, rel: "noreferrer noopener", target: "_blank", lang: languages.find((l) => l === hit.language) }, h("bdi", {}, hit.title || hit.url))),
          h("p", { class: "hint" }, h("bdi", {}, ...address(hit.url)), hit.fetched_at ? h("span", {}, " · ", times.at(hit.fetched_at)) : null),
          hit.snippet.text ? h("p", {}, h("bdi", {}, ...marked(hit.snippet.text, hit.snippet.marks ?? []))) : null,
        ),
      ),
    ),
    h(
      "p",
      { class: "choices" },
      from > 0 && h("button", { type: "button", click: () => void turn(Math.max(0, from - page)) }, t("Earlier pages")),
      from + r.hits.length < r.total && r.hits.length > 0 && h("button", { type: "button", click: () => void turn(from + page) }, t("Next pages")),
    ),
  ];
}

// address returns an address with its host clear.
function address(url: string): Child[] {
  const parts = /^(https?:\/\/)([^/?#]*)(.*)$/s.exec(url);
  return parts ? [parts[1], h("strong", {}, parts[2]), parts[3]] : [url];
}

// marked returns a text with the words of the query marked. The marks count bytes of UTF-8.
function marked(text: string, marks: { start: number; end: number }[]): Child[] {
  const bytes = new TextEncoder().encode(text);
  const cut = (start: number, end?: number) => new TextDecoder().decode(bytes.subarray(start, end));
  const parts: Child[] = [];
  let at = 0;
  for (const { start, end } of marks) {
    if (start < at || end < start) continue;
    parts.push(cut(at, start), h("mark", {}, cut(start, end)));
    at = end;
  }
  return [...parts, cut(at)];
}
