// Watch: what robots monitor saw. The server of the page is the watch itself.

import { type App, later, messageOf, type View } from "./app";
import { field, h } from "./dom";
import { ask, morph, poll, Refused, serviceOf, Times } from "./live";
import { number, t, type TextName } from "./messages";

interface Finding {
  kind: string;
  severity: string;
}

interface Incident {
  state: string;
  began: string;
  finding: Finding;
  sentence: string;
}

interface Site {
  origin: string;
  state: string;
  last?: string;
  next?: string;
  not_before?: string;
  file?: { state: string; status?: number; size?: number };
  error?: string;
  incidents: Incident[];
}

interface Report {
  began: string;
  total: number;
  here: number;
  states: Record<string, number>;
  found: number;
  sites: Site[];
}

interface Event {
  id: string;
  origin: string;
  time: string;
  updates: { step: string; finding: Finding; sentence: string }[];
}

interface Events {
  events: Event[];
  more: boolean;
}

const states = ["critical", "warning", "notice", "failed", "held", "waiting", "fine"];
const maxSites = 100;

/** Returns the view. */
export function watchView(app: App): View {
  const service = serviceOf("robots-watch") ?? "";
  const times = new Times(app.language);
  const offline = h("div", { role: "status" });
  const summary = h("div", { class: "tallies" });
  const sites = h("ul", { class: "plain sites" });
  const events = h("ol", { class: "plain events", tabindex: -1 });
  const filter = h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "example.com" });
  const earlier = h("button", { type: "button", hidden: true, click: () => void older() }, t("Earlier events"));
  filter.value = app.state.sites;

  let shown: Event[] = [];
  let more = false;
  let answered = 0; // the server's time of the last answer

  const asked = (extra: Record<string, string>) => new URLSearchParams({ lang: app.language, ...(app.state.sites.trim() !== "" ? { site: app.state.sites.trim() } : {}), ...extra });

  const failed = (error: unknown) => {
    const words = error instanceof Refused ? messageOf(error) : t("The server does not answer.");
    const since = answered > 0 ? [" ", t("This is what it said"), " ", times.at(new Date(answered).toISOString()), "."] : [];
    morph(offline, h("p", { class: "warning offline" }, h("span", {}, words, ...since)));
  };

  const element = h(
    "div",
    { class: "view watch" },
    offline,
    summary,
    h(
      "div",
      { class: "beside" },
      h("section", { "aria-label": t("Sites") }, h("h2", {}, t("Sites")), field(t("Only sites with"), filter), sites),
      h("section", { "aria-label": t("Events") }, h("h2", {}, t("Events")), events, earlier),
    ),
  );

  const again = poll<Report>(element, {
    url: () => `${service}watch?${asked({ limit: String(maxSites) })}`,
    show(report, now) {
      answered = now;
      morph(offline);
      morph(summary, ...tallies(report, times));
      morph(sites, ...(report.sites.length > 0 ? report.sites.map((s) => siteItem(s, times, now)) : [h("li", { class: "hint" }, t("No site of the watch has this in its address."))]), report.found > report.sites.length && h("li", { class: "hint", "data-key": "more" }, t("and %[1]d more", report.found - report.sites.length)));
    },
    failed,
  });
  const againEvents = poll<Events>(element, {
    url: () => `${service}watch/events?${asked({ limit: "30" })}`,
    show(answer) {
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
    failed() {
      // The other question says it.
    },
  });

  function drawEvents(): void {
    morph(events, ...(shown.length > 0 ? shown.map((e) => eventItem(e, times)) : [h("li", { class: "hint" }, t("Nothing has happened yet."))]));
    earlier.hidden = !more;
  }

  async function older(): Promise<void> {
    const last = shown[shown.length - 1];
    if (!last) return;
    try {
      const { value } = await ask<Events>(`${service}watch/events?${asked({ limit: "30", before: last.id })}`);
      shown = [...shown, ...value.events];
      more = value.more;
      drawEvents();
      if (!more) events.focus(); // the button with the focus is gone
    } catch (error) {
      failed(error);
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
  return e.updates.map((u) => `${hostOf(e.origin)}: ${t(`step ${u.step}` as TextName)}: ${u.sentence}`).join("; ");
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, "");
}

// tallies returns how many sites are in which state.
function tallies(r: Report, times: Times): HTMLElement[] {
  const some = states.filter((s) => r.states[s]);
  return [
    h("ul", { class: "plain" }, ...some.map((s) => h("li", { class: `state is-${s}`, "data-key": s }, h("strong", {}, number(r.states[s] ?? 0)), " ", stateName(s)))),
    h("p", { class: "hint" }, r.here < r.total ? t("This instance watches %[1]d of %[2]d sites.", r.here, r.total) : t("%[1]d ⟨site/sites⟩", r.total), " · ", t("watched since"), " ", times.at(r.began)),
  ];
}

function stateName(state: string): string {
  return t(`state ${state}` as TextName);
}

function siteItem(s: Site, times: Times, now: number): HTMLElement {
  const file = s.file && [s.file.status || s.file.state, s.file.size ? t("%[1]d ⟨byte/bytes⟩", s.file.size) : ""].filter(Boolean).join(" · ");
  return h(
    "li",
    { class: "site", "data-key": s.origin },
    h(
      "div",
      { class: "head" },
      h("span", { class: `state is-${s.state}` }, stateName(s.state)),
      h("a", { class: "grow", href: `${s.origin}/robots.txt`, rel: "noreferrer noopener", target: "_blank" }, s.origin),
      file ? h("span", { class: "hint" }, file) : null,
    ),
    ...s.incidents.map((i) => incidentItem(i, times)),
    s.error ? h("p", { class: "incident" }, t("The last look came to nothing: %[1]s", s.error)) : null,
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
    i.sentence,
    " ",
    h("span", { class: "hint" }, t("since"), " ", times.at(i.began)),
  );
}

function eventItem(e: Event, times: Times): HTMLElement {
  return h(
    "li",
    { "data-key": e.id },
    h("p", { class: "hint" }, times.at(e.time), " · ", hostOf(e.origin)),
    ...e.updates.map((u) => h("p", { class: `incident is-${u.step === "ended" || u.step === "accepted" ? "over" : u.finding.severity}` }, h("strong", {}, t(`step ${u.step}` as TextName)), ": ", u.sentence)),
  );
}
