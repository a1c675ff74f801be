// Compare: a time line of versions of one robots.txt. Its points are the versions with another meaning than the one before.

import { type App, messageOf } from "./app";
import { type Child, h, replace } from "./dom";
import type { Change, Difference } from "./engine";
import { fetchHistory, type History, siteForm, type Version } from "./service";
import { type Language, t } from "./messages";

const maxVersions = 300; // of a time line
const maxFile = 2 << 20; // bytes of a file
const maxSaid = 3; // changes that a point says
const maxWitness = 100; // characters of a path

/** A version of a robots.txt. */
interface Past {
  name: string;
  state: string;
  /** What is special about it, such as an unreachable site. */
  note: string;
  /** The text in force, or null if it is gone. */
  text: string | null;
}

/** A version that is shown. */
interface Point {
  past: Past;
  /** The version before it. */
  before: Past | null;
  /** What it changes, or null for the first version and for one without a text. */
  difference: Difference | null;
  /** How many versions after it say the same. */
  same: number;
}

/** The sides of the comparison that a version can fill. */
export interface Sides {
  before(text: string, name: string): void;
  after(text: string, name: string): void;
}

const closedToAll = "User-agent: *\nDisallow: /\n";

// versionsOf returns the versions of a history.
function versionsOf({ versions, texts }: History, language: Language): Past[] {
  const form = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return versions.map((v) => ({ name: dateOf(form, v.from), state: v.state, note: noteOf(v, texts), text: textOf(v, texts) }));
}

function dateOf(form: Intl.DateTimeFormat, from: string): string {
  const time = new Date(from);
  return Number.isNaN(time.getTime()) ? from : form.format(time);
}

function textOf(v: Version, texts: Map<string, string>): string | null {
  if (v.sha256) return texts.get(v.sha256) ?? null;
  return v.state === "unreachable" ? closedToAll : "";
}

function noteOf(v: Version, texts: Map<string, string>): string {
  const status = v.status ? String(v.status) : t("no answer");
  if (v.sha256 && !texts.has(v.sha256)) return t("The text is no longer there.");
  if (v.state === "unavailable") return t("No robots.txt (%[1]s): open to all.", status);
  if (v.state !== "unreachable") return "";
  return v.sha256 ? t("Unreachable (%[1]s): the last text stays in force.", status) : t("Unreachable (%[1]s): closed to all.", status);
}

/** Returns the section. */
export function timeline(app: App, sides: Sides): HTMLElement {
  const status = h("p", { class: "summary", role: "status" });
  const list = h("ol", { class: "plain timeline" });
  const stop = h("button", { type: "button", hidden: true }, t("Stop"));
  let turn = 0; // the time line that is made now

  // draw compares versions, from the newest on, and shows the points.
  async function draw(versions: Past[], title: string, more: boolean): Promise<void> {
    const mine = ++turn;
    replace(list);
    stop.hidden = false;
    stop.onclick = () => {
      turn++;
      finish(true);
    };
    let compared = 0;
    let changed = 0;
    let same = 0; // versions after the one that is compared, with its meaning
    function finish(stopped: boolean): void {
      stop.hidden = true;
      replace(status, `${title}: `, t("%[1]d ⟨version/versions⟩, %[2]d ⟨change/changes⟩ of meaning.", compared, changed), more || stopped ? ` ${t("There are earlier versions, which are not shown.")}` : "");
      app.say(status.textContent ?? "");
    }
    for (let i = versions.length - 1; i >= 0; i--) {
      const past = versions[i] as Past;
      status.textContent = t("Comparing version %[1]d of %[2]d…", versions.length - i, versions.length);
      const before = versions.slice(0, i).findLast((v) => v.text !== null) ?? null;
      let difference: Difference | null = null;
      let note = past.note;
      if (past.text !== null && before !== null && before.text !== null && before.text !== past.text) {
        try {
          difference = await app.engine.diff(before.text, past.text);
        } catch (error) {
          note = messageOf(error);
        }
        if (mine !== turn || !list.isConnected) return;
      }
      compared++;
      const previous = versions[i - 1];
      if (previous && previous.state === past.state && note === past.note && previous.text !== null && past.text !== null && !changes(difference)) {
        same++;
        continue;
      }
      if (changes(difference)) changed++;
      list.append(pointOf({ past: { ...past, note }, before, difference, same }, sides));
      same = 0;
    }
    finish(false);
  }

  const files = h("input", { type: "file", multiple: true, accept: ".txt,text/plain", class: "sr", tabindex: -1, "aria-hidden": "true" });
  files.addEventListener("change", () => {
    const chosen = [...(files.files ?? [])].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    files.value = "";
    const newest = chosen.slice(-maxVersions);
    if (newest.some((f) => f.size > maxFile)) {
      app.warn(t("The file has more than 2 MiB. Robots read 500 KiB."));
      return;
    }
    Promise.all(newest.map(async (f) => ({ name: f.name, state: "ok", note: "", text: new TextDecoder().decode(await f.arrayBuffer()) })))
      .then((versions) => draw(versions, t("%[1]d ⟨file/files⟩", versions.length), chosen.length > newest.length))
      .catch((error) => app.warn(messageOf(error)));
  });
  const form = siteForm(app, t("Show time line"), async (service, site, signal) => {
    const history = await fetchHistory(service, site, maxVersions, signal);
    if (history.versions.length === 0) throw new Error(t("The service has not fetched %[1]s yet.", history.origin));
    await draw(versionsOf(history, app.language), history.origin, history.more);
  });

  return h(
    "section",
    { class: "past", "aria-label": t("Time line") },
    h("div", { class: "bar" }, h("h2", { class: "grow" }, t("Time line")), stop, files, h("button", { type: "button", click: () => files.click() }, t("Open versions…"))),
    form,
    h("p", { class: "hint" }, t("Each point is a version that changes an answer for some robot and path: that is proven. Several files at once are versions in the order of their names.")),
    status,
    list,
  );
}

// changes reports whether a difference changes an answer, or may do so.
function changes(d: Difference | null): d is Difference {
  return d !== null && !(d.equal && d.decided);
}

// pointOf returns a point as an element.
function pointOf({ past, before, difference, same }: Point, sides: Sides): HTMLElement {
  const fill = (side: (text: string, name: string) => void, p: Past) => {
    if (p.text !== null) side(p.text, p.name);
  };
  const radio = (name: string, label: string, side: (text: string, name: string) => void) =>
    h("label", { class: "choice" }, h("input", { type: "radio", name: `past-${name}`, "aria-label": `${label}: ${past.name}`, change: () => fill(side, past) }), h("span", { "aria-hidden": "true" }, label));
  const show = (button: HTMLElement) => {
    if (before) fill(sides.before, before);
    fill(sides.after, past);
    for (const other of button.closest("ol")?.querySelectorAll("input") ?? []) other.checked = false;
  };
  const button: HTMLElement = h("button", { type: "button", "aria-label": `${t("Show this change")}: ${past.name}`, click: () => show(button) }, t("Show this change"));
  const changed = changes(difference);
  const direction = !changed ? "none" : difference.changes.every((c) => c.direction === "closed") ? "closed" : difference.changes.every((c) => c.direction === "opened") ? "open" : "partly";
  return h(
    "li",
    { class: `point ${past.state === "unreachable" ? "unreachable " : ""}${direction}` },
    h("h3", {}, past.name),
    past.note && h("p", {}, past.note),
    ...said(difference, before, past),
    same > 0 && h("p", { class: "hint" }, t("then %[1]d ⟨version/versions⟩ with the same meaning", same)),
    past.text !== null && h("div", { class: "picks" }, radio("before", t("Before"), sides.before), radio("after", t("After"), sides.after), changed && before && button),
  );
}

// said returns in words what a version changes.
function said(difference: Difference | null, before: Past | null, past: Past): Child[] {
  if (before === null) return [h("p", { class: "hint" }, t("The first version here."))];
  if (past.text === null || (difference === null && past.note !== "")) return [];
  if (!changes(difference)) return [h("p", { class: "hint" }, t("No robot gets another answer."))];
  const parts: Child[] = difference.changes.slice(0, maxSaid).map((c) =>
    h("p", {}, h("span", { class: c.direction === "closed" ? "closed" : "open" }, t(c.direction === "closed" ? "now closed for %[1]s" : "now open for %[1]s", whom(c))), ", ", t("such as"), " ", h("code", { title: c.witness }, c.witness.length > maxWitness ? `${c.witness.slice(0, maxWitness)}…` : c.witness)),
  );
  if (difference.changes.length > maxSaid) parts.push(h("p", { class: "hint" }, t("and %[1]d more", difference.changes.length - maxSaid)));
  if (!difference.decided) parts.push(h("p", { class: "wrong" }, t("The proof took too many cases: there may be more changes.")));
  return parts;
}

// whom returns whom a change concerns: names if they are few, else their number.
function whom(c: Change): string {
  const all = [...c.agents, ...(c.followers ?? [])];
  const names = all.filter((a) => a !== "*");
  const others = names.length < all.length ? [t("for these: all others")] : [];
  const shown = names.length > 3 ? [...names.slice(0, 2), t("%[1]d other ⟨robot/robots⟩", names.length - 2)] : names;
  return [...shown, ...others].join(", ");
}
