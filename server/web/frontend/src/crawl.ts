// Crawl: how a crawl goes, its hosts and why they wait, and a search over the pages that it gathered. The pages are strangers', and so
// are their titles, texts and addresses: all of them are text here.

import { count, flag, list, maybe, object, type Of, table, text, time, word } from "./answers";
import type { App, View } from "./app";
import { type Child, field, h } from "./dom";
import { asked, morph, Offline, poll, saidOf, serviceOf, Times } from "./live";
import { languages, nameOf, number, t } from "./messages";

const host = object({
  origin: text,
  queued: count,
  done: count,
  wait: text,
  why: text,
  next: maybe(time),
  since: maybe(time),
  reasons: table(count),
  pages: maybe(count),
  octets: maybe(count),
  robots: maybe(object({ state: text, status: maybe(count), cause: maybe(text), fresh_until: time, group: maybe(text), rules: count, crawl_delay: maybe(count), closed: maybe(flag) })),
  urls: list(object({ url: text })),
});
const worker = object({
  number: text,
  this: maybe(flag),
  state: text,
  partitions: count,
  beat: maybe(time),
  told: maybe(time),
  machine: maybe(text),
  lapses: maybe(count),
  queued: count,
  done: count,
});
const status = object({
  state: word,
  began: maybe(time),
  counts: object({ hosts: count, seen: count, queued: count, done: count }),
  pages: count,
  octets: count,
  busy: count,
  waiting: count,
  waits: table(count),
  reasons: table(count),
  hosts: list(host),
  user_agent: maybe(text),
  worker: maybe(text), // of a shared crawl, if it does not run
  known: maybe(time),
  workers: list(worker, 10_000),
});
const found = object({
  total: count,
  from: maybe(count),
  hits: list(object({ url: text, title: maybe(text), snippet: object({ text, marks: list(object({ start: count, end: count })) }), fetched_at: maybe(time), language: maybe(text) })),
});

type Host = Of<typeof host>;
type Worker = Of<typeof worker>;
type Status = Of<typeof status>;
type Results = Of<typeof found>;

const listed = 50; // hosts, and workers
const longestName = 200; // characters of a machine's name
const page = 10; // hits

/** Returns the view. */
export function crawlView(app: App): View {
  const service = serviceOf("robots-crawl") ?? "";
  const times = new Times(app.language);
  const offline = new Offline(times);
  const summary = h("div", { class: "tallies" });
  const fleet = h("section", { "aria-label": t("Workers"), hidden: true });
  const hosts = h("ul", { class: "plain hosts" });
  const counts = h("div", {});
  const hits = h("div", { class: "found", tabindex: -1 });
  const words = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  words.value = app.state.search;

  let told: Status | null = null;
  let opened: Host | null = null; // what is told of the host that is open
  let now = 0;

  const element = h(
    "div",
    { class: "view crawl" },
    offline.element,
    summary,
    fleet,
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
        hits,
      ),
      h("section", { "aria-label": t("Hosts") }, h("h2", {}, t("Hosts with something to do")), hosts, counts),
    ),
  );

  poll(element, {
    shape: status,
    url: () => `${service}crawl?limit=${listed}`,
    show(answer, time) {
      if (told && told.state !== answer.state) app.say(stateName(answer));
      told = answer;
      now = time;
      offline.answered("crawl", time);
      draw();
    },
    failed: (error) => offline.failed("crawl", error),
  });
  const againHost = poll(element, {
    shape: status,
    url: () => (app.state.host === "" ? null : `${service}crawl/host?${new URLSearchParams({ name: app.state.host, limit: "20" })}`),
    show(answer, time) {
      opened = answer.hosts[0] ?? null;
      offline.answered("host", time);
      draw();
    },
    failed: (error) => offline.failed("host", error),
  });

  function draw(): void {
    if (!told) return;
    morph(summary, ...tallies(told, times, now));
    fleet.hidden = told.workers.length === 0;
    morph(fleet, ...(fleet.hidden ? [] : workers(told, times, now)));
    const all = told.hosts;
    const open = app.state.host;
    const first = opened && !all.some((host) => host.origin === open) ? [opened] : []; // a host that has nothing to do any more
    morph(
      hosts,
      ...[...first, ...all].map((host) => hostItem(host, host.origin === open ? (opened ?? host) : null, times, now)),
      all.length === 0 && first.length === 0 && h("li", { class: "hint", "data-key": "none" }, t("No host has anything to do.")),
      told.busy + told.waiting > all.length && h("li", { class: "hint", "data-key": "more" }, t("and %[1]d more", told.busy + told.waiting - all.length)),
    );
    morph(counts, ...tally(t("What hosts wait for"), "wait", told.waits), ...tally(t("Not visited, by reason"), "left", told.reasons));
  }

  hosts.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const origin = button?.closest<HTMLElement>("[data-key]")?.dataset["key"];
    if (origin === undefined) return;
    app.state.host = app.state.host === origin ? "" : origin;
    opened = null;
    offline.answered("host", now); // of the host before
    app.keep();
    draw();
    againHost();
  });

  let turn = 0; // the search that is shown next: answers may come in another order
  async function search(from: number): Promise<void> {
    const mine = ++turn;
    if (app.state.search === "") {
      morph(hits);
      return;
    }
    try {
      const { value } = await asked(`${service}search?${new URLSearchParams({ q: app.state.search, from: String(from), limit: String(page) })}`, found);
      if (mine !== turn) return;
      hits.replaceChildren();
      morph(hits, ...results(value, times, search));
      app.say(t("%[1]d ⟨page/pages⟩ found", value.total));
      if (from > 0) hits.focus();
    } catch (error) {
      if (mine === turn) morph(hits, h("p", { class: "wrong" }, saidOf(error)));
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
      figure(s.counts.hosts, s.counts.hosts === 1 ? t("host") : t("hosts")),
      s.state === "running" && figure(s.busy, t("asked now")),
    ),
    h(
      "p",
      { class: "hint" },
      s.began ? h("span", {}, t("began"), " ", times.near(s.began, now), ` · ${t("%[1]d ⟨page/pages⟩ fetched", s.pages)} · ${t("%[1]d ⟨byte/bytes⟩", s.octets)}`, s.user_agent ? " · " : "") : null,
      s.user_agent ? h("bdi", {}, s.user_agent) : null,
    ),
    ...(s.worker && s.known ? [h("p", { class: "hint" }, t("This is what worker %[1]s knew of its part of the crawl. Others may have continued it."), " ", times.near(s.known, now))] : []),
  ];
}

// workers returns the workers of a shared crawl, those that are alive first. The name of a machine is a stranger's text.
function workers(s: Status, times: Times, now: number): HTMLElement[] {
  const rank = (w: Worker) => (w.state === "alive" ? 0 : w.state === "silent" ? 1 : 2);
  const all = [...s.workers].sort((a, b) => rank(a) - rank(b) || (a.number < b.number ? -1 : 1));
  const live = all.filter((w) => w.state === "alive").length;
  return [
    h("h2", {}, t("Workers")),
    h("p", { class: "hint" }, t("%[1]d of %[2]d ⟨worker/workers⟩ alive. The counts above are those of this worker's partitions.", live, all.length)),
    h("ul", { class: "plain workers" }, ...all.slice(0, listed).map((w) => workerItem(w, times, now)), all.length > listed && h("li", { class: "hint", "data-key": "more" }, t("and %[1]d more", all.length - listed))),
  ];
}

function workerItem(w: Worker, times: Times, now: number): HTMLElement {
  const name = w.machine && w.machine.length > longestName ? `${w.machine.slice(0, longestName)}…` : w.machine;
  const heard = w.beat ?? w.told;
  return h(
    "li",
    { class: "site", "data-key": w.number },
    h(
      "div",
      { class: "head" },
      h("span", { class: `state${w.state === "alive" ? " is-running" : w.state === "left" ? "" : " is-critical"}` }, nameOf("worker", w.state)),
      h("strong", {}, h("bdi", {}, name || w.number)),
      h("span", { class: "hint grow" }, name ? h("bdi", {}, w.number) : null, w.this ? ` ${t("(this worker)")}` : null),
    ),
    h(
      "p",
      { class: "hint" },
      t("%[1]d ⟨partition/partitions⟩", w.partitions),
      " · ",
      w.told ? t("%[1]d visited, %[2]d queued", w.done, w.queued) : t("has reported nothing yet"),
      // The clocks of the machines differ.
      heard && !w.this ? h("span", {}, " · ", t("last seen"), " ", times.near(new Date(Math.min(Date.parse(heard), now)).toISOString(), now)) : null,
      w.lapses ? ` · ${t("dropped its partitions %[1]d ⟨time/times⟩", w.lapses)}` : null,
    ),
  );
}

function tally(title: string, kind: "wait" | "left", by: Map<string, number>): HTMLElement[] {
  const rows = [...by].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
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
    host.reasons.size > 0 ? fact(t("Not visited, by reason"), [...host.reasons].map(([word, n]) => `${nameOf("left", word)}: ${number(n)}`).join(" · ")) : null,
    host.urls.length > 0 ? fact(t("Next addresses"), h("ul", { class: "plain" }, ...host.urls.map((u) => h("li", { "data-key": u.url }, h("bdi", {}, h("code", {}, u.url)))))) : null,
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
          hit.snippet.text ? h("p", {}, h("bdi", {}, ...marked(hit.snippet.text, hit.snippet.marks))) : null,
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
