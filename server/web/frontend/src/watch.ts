// Watch: what robots monitor saw. The server of the page is the watch itself.

import { count, flag, list, maybe, object, type Of, table, text, time, word } from "./answers";
import { type App, later, type View } from "./app";
import { field, h } from "./dom";
import { asked, morph, Offline, poll, serviceOf, Times } from "./live";
import { nameOf, number, t } from "./messages";

const finding = object({ kind: text, severity: word });
const incident = object({ state: text, began: time, finding, sentence: text });
const site = object({
  origin: text,
  state: word,
  last: maybe(time),
  next: maybe(time),
  not_before: maybe(time),
  file: maybe(object({ state: text, status: maybe(count), size: maybe(count) })),
  doubt: maybe(word),
  error: maybe(text),
  incidents: list(incident),
});
const report = object({ began: time, total: count, here: count, states: table(count), doubts: table(count), found: count, sites: list(site) });
const event = object({ id: text, origin: text, time, updates: list(object({ step: word, finding, sentence: text })) });
const eventList = object({ events: list(event), more: flag });

type Incident = Of<typeof incident>;
type Site = Of<typeof site>;
type Report = Of<typeof report>;
type Event = Of<typeof event>;

const states = ["critical", "warning", "notice", "failed", "held", "waiting", "fine"];
const maxSites = 100;

/** Returns the view. */
export function watchView(app: App): View {
  const service = serviceOf("robots-watch") ?? "";
  const times = new Times(app.language);
  const offline = new Offline(times);
  const summary = h("div", { class: "tallies" });
  const sites = h("ul", { class: "plain sites" });
  const events = h("ol", { class: "plain events", tabindex: -1 });
  const filter = h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "example.com" });
  const earlier = h("button", { type: "button", hidden: true, click: () => void older() }, t("Earlier events"));
  filter.value = app.state.sites;

  let shown: Event[] = [];
  let more = false;

  const query = (extra: Record<string, string>) => new URLSearchParams({ lang: app.language, ...(app.state.sites.trim() !== "" ? { site: app.state.sites.trim() } : {}), ...extra });

  const element = h(
    "div",
    { class: "view watch" },
    offline.element,
    summary,
    h(
      "div",
      { class: "beside" },
      h("section", { "aria-label": t("Sites") }, h("h2", {}, t("Sites")), field(t("Only sites with"), filter), sites),
      h("section", { "aria-label": t("Events") }, h("h2", {}, t("Events")), events, earlier),
    ),
  );

  const again = poll(element, {
    shape: report,
    url: () => `${service}watch?${query({ limit: String(maxSites) })}`,
    show(answer, now) {
      offline.answered("sites", now);
      morph(summary, ...tallies(answer, times));
      morph(sites, ...(answer.sites.length > 0 ? answer.sites.map((s) => siteItem(s, times, now)) : [h("li", { class: "hint" }, t("No site of the watch has this in its address."))]), answer.found > answer.sites.length && h("li", { class: "hint", "data-key": "more" }, t("and %[1]d more", answer.found - answer.sites.length)));
    },
    failed: (error) => offline.failed("sites", error),
  });
  const againEvents = poll(element, {
    shape: eventList,
    url: () => `${service}watch/events?${query({ limit: "30" })}`,
    show(answer, now) {
      offline.answered("events", now);
      const first = shown[0];
      const fresh = first ? answer.events.findIndex((e) => e.id === first.id) : -1;
      if (fresh > 0) app.say(answer.events.slice(0, fresh).map(said).join(". "));
      const joins = answer.events.length > 0 && shown.some((e) => e.id === answer.events[answer.events.length - 1]?.id);
      if (joins) {
        const last = answer.events[answer.events.length - 1];
        shown = [...answer.events, ...shown.slice(shown.findIndex((e) => e.id === last?.id) + 1)];
      } else {
        shown = answer.events;
        more = answer.more;
      }
      drawEvents();
    },
    failed: (error) => offline.failed("events", error),
  });

  function drawEvents(): void {
    morph(events, ...(shown.length > 0 ? shown.map((e) => eventItem(e, times)) : [h("li", { class: "hint" }, t("Nothing has happened yet."))]));
    earlier.hidden = !more;
  }

  async function older(): Promise<void> {
    const last = shown[shown.length - 1];
    if (!last) return;
    try {
      const { value, now } = await asked(`${service}watch/events?${query({ limit: "30", before: last.id })}`, eventList);
      offline.answered("events", now);
      shown = [...shown, ...value.events];
      more = value.more;
      drawEvents();
      if (!more) events.focus(); // the button with the focus is gone
    } catch (error) {
      offline.failed("events", error);
    }
  }

  const soon = later(200, () => {
    shown = [];
    again();
    againEvents();
  });
  filter.addEventListener("input", () => {
    app.state.sites = filter.value;
    app.keep();
    soon();
  });
  return { editor: false, element, update() {} };
}

function said(e: Event): string {
  return e.updates.map((u) => `${hostOf(e.origin)}: ${nameOf("step", u.step)}: ${u.sentence}`).join("; ");
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, "");
}

// tallies returns how many sites are in which state.
function tallies(r: Report, times: Times): HTMLElement[] {
  // sites that are not in order, though no incident is open, are not among those in order
  const counts = new Map(r.states);
  const doubts = [...r.doubts].filter(([, n]) => n > 0);
  counts.set("fine", Math.max(0, doubts.reduce((left, [, n]) => left - n, counts.get("fine") ?? 0)));
  const some = states.filter((s) => counts.get(s));
  const doubted = doubts.map(([d, n]) => h("li", { class: "state is-warning", "data-key": `doubt ${d}` }, h("strong", {}, number(n)), " ", doubtName(d)));
  return [
    h("ul", { class: "plain" }, ...some.map((s) => h("li", { class: `state is-${s}`, "data-key": s }, h("strong", {}, number(counts.get(s) ?? 0)), " ", stateName(s))), ...doubted),
    h("p", { class: "hint" }, r.here < r.total ? t("This instance watches %[1]d of %[2]d sites.", r.here, r.total) : t("%[1]d ⟨site/sites⟩", r.total), " · ", t("watched since"), " ", times.at(r.began)),
  ];
}

function stateName(state: string): string {
  return nameOf("state", state);
}

// doubtName returns in words why a site is not in order, though it has no open incident.
function doubtName(doubt: string): string {
  return doubt === "closed" ? t("closed to search") : t("to be confirmed");
}

function siteItem(s: Site, times: Times, now: number): HTMLElement {
  const file = s.file && [s.file.status || s.file.state, s.file.size ? t("%[1]d ⟨byte/bytes⟩", s.file.size) : ""].filter(Boolean).join(" · ");
  return h(
    "li",
    { class: "site", "data-key": s.origin },
    h(
      "div",
      { class: "head" },
      s.doubt ? h("span", { class: "state is-warning" }, doubtName(s.doubt)) : h("span", { class: `state is-${s.state}` }, stateName(s.state)),
      h("a", { class: "grow", href: `${s.origin}/robots.txt`, rel: "noreferrer noopener", target: "_blank" }, s.origin),
      file ? h("span", { class: "hint" }, file) : null,
    ),
    ...s.incidents.map((i) => incidentItem(i, times)),
    s.error ? h("p", { class: "incident" }, h("bdi", {}, t("The last look came to nothing: %[1]s", s.error))) : null,
    h(
      "p",
      { class: "hint" },
      s.last ? h("span", {}, t("looked at"), " ", times.near(s.last, now)) : s.state === "elsewhere" ? t("another instance watches it") : t("not looked at yet"),
      s.next && Date.parse(s.next) > now ? h("span", {}, " · ", t("next look"), " ", times.near(s.next, now)) : null,
      s.not_before && Date.parse(s.not_before) > now ? h("span", {}, " · ", t("the site asks for no request before"), " ", times.at(s.not_before)) : null,
    ),
  );
}

function incidentItem(i: Incident, times: Times): HTMLElement {
  const how = i.state === "pending" ? t("to be confirmed") : i.state === "flapping" ? t("step flapping") : null;
  return h(
    "p",
    { class: `incident is-${i.state === "pending" ? "pending" : i.finding.severity}`, "data-key": `${i.finding.kind} ${i.began} ${i.sentence}` },
    h("strong", {}, stateName(i.finding.severity)),
    how ? ` (${how})` : null,
    ": ",
    h("bdi", {}, i.sentence),
    " ",
    h("span", { class: "hint" }, t("since"), " ", times.at(i.began)),
  );
}

function eventItem(e: Event, times: Times): HTMLElement {
  return h(
    "li",
    { "data-key": e.id },
    h("p", { class: "hint" }, times.at(e.time), " · ", hostOf(e.origin)),
    ...e.updates.map((u) => h("p", { class: `incident is-${u.step === "ended" || u.step === "accepted" ? "over" : u.finding.severity}` }, h("strong", {}, nameOf("step", u.step)), ": ", h("bdi", {}, u.sentence))),
  );
}
