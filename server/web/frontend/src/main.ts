// The page: its frame, its tabs, and the editor that several tabs share.

import { type App, later, messageOf, type View } from "./app";
import { auditLogs, auditView } from "./audit";
import { buildView } from "./build";
import { bytesOf, isCRLF, textOf } from "./bytes";
import { compareView } from "./compare";
import { crawlView } from "./crawl";
import { h, replace, save } from "./dom";
import { hearDrops } from "./drop";
import { Editor, loadCode, pause } from "./editor";
import { Engine, type Known } from "./engine";
import { Findings } from "./findings";
import { languages, type Language, nameOfLanguage, speak, t } from "./messages";
import { lookupView } from "./lookup";
import { pageView } from "./pagerules";
import { proveView } from "./prove";
import { seeView } from "./see";
import { reportView } from "./report";
import { liveForm, type Site } from "./service";
import { commentExample, decode, encode, example, type State, store, stored, TooLong, viewOf, views, type View as ViewName } from "./state";
import { serviceOf } from "./live";
import { testView } from "./test";
import { apply, choose, chosen, recall, remember, type Theme } from "./theme";
import { watchView } from "./watch";

const makers: Record<ViewName, (app: App) => View> = {
  report: reportView,
  test: testView,
  see: seeView,
  lookup: lookupView,
  compare: compareView,
  page: pageView,
  prove: proveView,
  build: buildView,
  audit: auditView,
  watch: watchView,
  crawl: crawlView,
};

// needs has the views that need a server, with the name of its service and the command that is one.
const needs: Partial<Record<ViewName, { service: string; command: string }>> = {
  watch: { service: "robots-watch", command: "robots monitor --listen" },
  crawl: { service: "robots-crawl", command: "robots crawl serve" },
};

// live are the views that need the server of this page, and offered all that the page has. The page of a server begins with the first.
const live = views.filter((v) => needs[v] && serviceOf(needs[v].service) !== null);
const offered = [...live, ...views.filter((v) => !needs[v])];

const maxFile = 2 << 20; // bytes of a file that is opened
const maxKept = 200_000; // characters of a fragment that is kept in the address without being asked for

class Page implements App {
  state: State = { ...example };
  readonly engine = new Engine();
  editor!: Editor;
  language: Language = "en";
  known: Known | null = null;

  private findings!: Findings;
  private view!: View;
  readonly service = document.querySelector<HTMLMetaElement>('meta[name="robots-service"]')?.content ?? null;
  private readonly said = element("said");
  private readonly from = h("p", { class: "hint source" });
  private readonly lint = later(250, () => this.findings.update());
  private origin = { name: "", text: "" }; // where the text is from, such as an origin, and what it was there
  private fragment = "";
  private crlf = false; // the lines of the file that was opened end with CR and LF
  private writing = Promise.resolve(); // of the address, one at a time
  private unkept = false; // the state is neither in the address nor kept for a reload
  private fetched: { site: Site; text: string } | null = null; // with the text in the editor then

  async start(): Promise<void> {
    apply();
    await pause(); // the browser lays the page out at the end of the script: what is added now comes after that
    const stored = new URLSearchParams(location.search).get("lang") ?? recall("language");
    this.language = languages.find((l) => l === stored) ?? languages.find((l) => navigator.language.toLowerCase().startsWith(l)) ?? "en";
    speak(this.language);
    commentExample(t("An example: write or paste your robots.txt here."));
    this.state = await this.read(true);
    this.frame();
    await pause(); // the frame is drawn first
    this.open(this.state.view);
    history.replaceState({ view: this.state.view }, "");
    this.listen();
    await drawn();
    this.reveal();
    await loadCode().catch(() => {}); // plain fields stay. The engine comes after it, as it is much larger
    try {
      this.known = await this.engine.start();
      this.editor.learn(this.known);
      this.foot();
      this.view.update();
      this.findings.update();
      document.documentElement.dataset["engine"] = "ready";
      this.fetchAsked();
    } catch (error) {
      this.warn(t("The engine could not be loaded: %[1]s", messageOf(error)));
      document.documentElement.dataset["engine"] = "missing";
    }
  }

  say(text: string): void {
    this.said.textContent = text;
  }

  keep = later(400, () => this.write("replace"));

  // write writes a state into the address: in the entry of the history that is shown, or in a new one.
  private write(how: "replace" | "push", state: State = { ...this.state }): void {
    this.writing = this.writing.then(async () => {
      const fragment = await encode(state).catch(() => "");
      const fits = fragment !== "" && fragment.length <= maxKept;
      this.fragment = fits ? fragment : state.view;
      if (how === "push") history.pushState({ view: state.view }, "", `#${this.fragment}`);
      else history.replaceState({ view: state.view }, "", `#${this.fragment}`);
      this.unkept = !fits && !store(this.fragment, state);
    });
  }

  get site(): Site | null {
    return this.fetched?.text === this.state.text ? this.fetched.site : null;
  }

  got(site: Site): void {
    this.fetched = null;
    if (site.text !== null) this.put(site.text, site.origin);
    this.fetched = { site, text: this.state.text };
    this.view.update();
  }

  // fetchAsked fetches the site of an address with "?url=", as if its name were typed.
  private fetchAsked(): void {
    const asked = new URLSearchParams(location.search).get("url");
    if (!asked) return;
    history.replaceState(history.state, "", location.pathname + location.hash); // or a reload would fetch again, and replace the text
    const form = document.querySelector<HTMLFormElement>(".live");
    const input = form?.querySelector("input");
    if (!form || !input) {
      this.warn(t("This page cannot fetch %[1]s: it needs %[2]s.", asked, "robots serve"));
      return;
    }
    input.value = asked;
    form.requestSubmit();
  }

  show(): void {
    this.editor.text = this.state.text;
  }

  get source(): string {
    return this.origin.name;
  }

  // label says where the text is from, and whether it was changed since.
  private label(): void {
    const { name, text } = this.origin;
    this.from.textContent = name === "" || text === this.state.text ? name : t("%[1]s, changed", name);
  }

  put(text: string, source: string): void {
    this.crlf = isCRLF(text);
    this.editor.text = text;
    this.origin = { name: source, text: this.state.text };
    this.label();
  }

  private newEditor(): Editor {
    return new Editor(this.state.text, (text) => {
      this.state.text = text;
      this.label();
      this.keep();
      if (!this.known) return;
      this.view.update();
      this.lint();
    });
  }

  // read returns the state of the address. A wrong fragment gives the example, and a message.
  private async read(first = false): Promise<State> {
    this.fragment = location.hash.slice(1);
    this.origin = { name: "", text: "" };
    this.from.textContent = "";
    try {
      const state = (first ? stored(this.fragment) : null) ?? (await decode(this.fragment));
      if (this.fragment === "") state.view = offered[0] ?? "report";
      const need = needs[state.view];
      if (need && !live.includes(state.view)) {
        setTimeout(() => this.warn(t("This link shows a view that this page does not have: it needs %[1]s.", need.command)));
        state.view = "report";
      }
      return state;
    } catch {
      setTimeout(() => this.warn(t("The link could not be read: it is cut, or not of this page. This is the example.")));
      return { ...example };
    }
  }

  warn(text: string): void {
    const close = h("button", { type: "button", "aria-label": t("Close"), click: () => replace(element("warnings")) }, "×");
    const warning = h("p", { class: "warning", role: "alert" }, h("span", { class: "grow" }, text), close);
    replace(element("warnings"), warning);
  }

  private listen(): void {
    document.querySelector(".skip")?.addEventListener("click", (event) => {
      event.preventDefault(); // the fragment of the address is the state
      element("main").focus();
    });
    addEventListener("hashchange", () => {
      const fragment = location.hash.slice(1);
      if (fragment === this.fragment) return;
      const view = viewOf(fragment);
      if (view && offered.includes(view)) {
        this.turn(view); // and the text stays
        this.write("replace");
        return;
      }
      void this.read().then((state) => {
        this.state = state;
        history.replaceState({ view: state.view }, "");
        this.draw();
      });
    });
    hearDrops({
      mark: (on) => document.querySelector(".drop")?.classList.toggle("over", on !== null && !on.closest(".pane")),
      take: (files, on, folder) => this.take(files, on, folder),
    });
    addEventListener("popstate", (event) => {
      const view = viewOf((event.state as { view?: unknown } | null)?.view);
      if (!view || !offered.includes(view)) return; // a link, which hashchange reads
      this.fragment = location.hash.slice(1);
      this.turn(view); // with the text of now: whoever goes back to a view does not want to lose it
      this.keep();
    });
    addEventListener("pagehide", () => store(location.hash.slice(1), this.state));
    addEventListener("beforeunload", (event) => {
      if (this.unkept) event.preventDefault();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.view.update());
  }

  // draw makes the whole page, in its language.
  private draw(): void {
    this.frame();
    this.open(this.state.view);
    this.reveal();
  }

  // frame makes all but the view.
  private frame(): void {
    speak(this.language);
    document.documentElement.lang = this.language;
    element("promise").textContent = t("Nothing that you paste leaves this machine.");
    const intro = t("A site's robots.txt tells robots, such as those of search engines and of AI companies, what they may fetch. Write, paste or open yours: this page shows which robots may fetch which address and why, finds mistakes, and proves what a change does.");
    if (element("intro").textContent !== intro) element("intro").textContent = intro;
    const skip = document.querySelector(".skip");
    if (skip) skip.textContent = t("Skip to the content");
    this.switches();
    this.tabs();
    this.foot();
  }

  private switches(): void {
    const themes: [Theme, string][] = [
      ["auto", t("Colours: auto")],
      ["light", t("light")],
      ["dark", t("dark")],
    ];
    const language = h("select", { "aria-label": t("Language") }, ...languages.map((l) => h("option", { value: l, lang: l, selected: l === this.language }, nameOfLanguage(l))));
    language.addEventListener("change", () => {
      this.language = language.value as Language;
      remember("language", this.language);
      this.draw();
      element("switches").querySelector("select")?.focus();
    });
    const theme = h("select", { "aria-label": t("Colours") }, ...themes.map(([value, name]) => h("option", { value, selected: value === chosen() }, name)));
    theme.addEventListener("change", () => {
      choose(theme.value as Theme);
      this.view.update();
    });
    replace(element("switches"), language, theme, h("button", { type: "button", click: () => void this.copyLink() }, t("Copy link")));
  }

  private async copyLink(): Promise<void> {
    try {
      const url = new URL(location.href);
      url.hash = await encode(this.state);
      history.replaceState(null, "", url);
      await navigator.clipboard.writeText(url.href);
      this.say(t("The link is copied. It holds all that you see; it is sent to nobody."));
      this.toast(t("The link is copied. It holds all that you see; it is sent to nobody."));
    } catch (error) {
      this.warn(error instanceof TooLong ? t("The text is too long for a link.") : t("The browser does not let the page copy. The link is in the address bar."));
    }
  }

  private toast(text: string): void {
    const note = h("p", { class: "toast", "aria-hidden": "true" }, text);
    document.body.append(note);
    setTimeout(() => note.remove(), 4000);
  }

  // tabs makes the tabs. The arrow keys go from one to the next.
  private tabs(): void {
    const names = this.names();
    const list = h("div", { role: "tablist", "aria-label": t("Views") });
    for (const name of offered) {
      list.append(h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", click: () => this.choose(name) }, names[name]));
    }
    list.addEventListener("keydown", (event) => {
      const at = offered.indexOf(this.state.view);
      const goals: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: offered.length - 1 };
      const goal = goals[event.key];
      if (goal === undefined) return;
      event.preventDefault();
      this.choose(offered[(goal + offered.length) % offered.length] as ViewName);
      element(`tab-${this.state.view}`).focus();
    });
    const nav = element("tabs");
    nav.setAttribute("aria-label", t("Views"));
    replace(nav, list);
  }

  private names(): Record<ViewName, string> {
    return {
      report: t("Report"),
      test: t("Test"),
      see: t("See"),
      lookup: t("Look up"),
      compare: t("Compare"),
      page: t("A page's rules"),
      prove: t("Prove"),
      build: t("Build"),
      audit: t("Audit"),
      watch: t("Watch"),
      crawl: t("Crawl"),
    };
  }

  private choose(name: ViewName): void {
    if (name === this.state.view) return;
    this.write("replace"); // what was written before is in the entry to which Back leads
    this.turn(name);
    this.write("push");
  }

  // turn shows another view.
  private turn(name: ViewName): void {
    if (name === this.state.view) return;
    this.state.view = name;
    if (name === "compare" && this.state.after === "") this.state.after = this.state.text;
    this.open(name);
    this.reveal();
  }

  go(name: ViewName, set: Partial<State> = {}): void {
    Object.assign(this.state, set);
    this.choose(name);
    element(`tab-${name}`).focus();
  }

  // reveal scrolls the tabs to that of the view. The browser lays the page out for that, so start does it after the first picture.
  private reveal(): void {
    element(`tab-${this.state.view}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  private open(name: ViewName): void {
    for (const view of offered) {
      const tab = element(`tab-${view}`);
      tab.setAttribute("aria-selected", String(view === name));
      tab.tabIndex = view === name ? 0 : -1;
    }
    document.title = name === "report" ? t("robots.txt workbench") : `${this.names()[name]} · ${t("robots.txt workbench")}`;
    element("intro").hidden = name !== "report"; // it is for newcomers
    this.editor = this.newEditor();
    if (this.known) this.editor.learn(this.known);
    this.editor.name(name === "compare" ? t("robots.txt before") : "robots.txt");
    this.findings = new Findings(this);
    this.view = makers[name](this);
    const panel = element("panel");
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    panel.className = this.view.editor ? "split" : "whole";
    replace(panel, this.view.above, this.view.editor && this.textPane(name), this.view.element);
    if (!this.known) return;
    this.view.update();
    if (this.view.editor) this.findings.update();
  }

  // textPane returns the editor with its bar and the findings.
  private textPane(name: ViewName): HTMLElement {
    const file = h("input", { type: "file", accept: ".txt,text/plain", class: "sr", tabindex: -1, "aria-hidden": "true" });
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      if (chosen) void this.openFile(chosen);
      file.value = ""; // the same file can be opened again after a change
    });
    return h(
      "section",
      { class: "pane", "aria-label": "robots.txt" },
      h(
        "div",
        { class: "bar" },
        h("h2", { class: "grow" }, name === "compare" ? t("robots.txt before") : "robots.txt"),
        file,
        h("button", { type: "button", click: () => file.click() }, t("Open…")),
        h("button", { type: "button", click: () => this.save(this.state.text) }, t("Save")),
      ),
      name !== "report" && liveForm(this, (site) => this.got(site)), // which has a box of its own
      this.from,
      this.editor.element,
      this.findings.element,
    );
  }

  private async openFile(file: File): Promise<void> {
    if (file.size > maxFile) {
      this.warn(t("The file has more than 2 MiB. Robots read 500 KiB."));
      return;
    }
    this.put(textOf(new Uint8Array(await file.arrayBuffer())), file.name);
    this.editor.focus();
  }

  save(text: string): void {
    save("robots.txt", new Blob([bytesOf(this.crlf ? text.replaceAll("\n", "\r\n") : text)], { type: "text/plain" }));
  }

  // take takes files that were dropped: a robots.txt is opened, and logs are audited.
  private take(files: File[], on: Element, folder: boolean): void {
    const [file] = files;
    if (!file) {
      this.warn(t("The folder has no files."));
    } else if (folder || files.length > 1 || (this.state.view === "audit" && (!on.closest(".pane") || file.size > maxFile))) {
      this.go("audit");
      auditLogs(files);
    } else {
      if (!this.view.editor) this.go("report");
      void this.openFile(file);
    }
  }

  // foot makes the foot of the page. Its paragraph stays when the engine is loaded: a new one would be the largest text that comes late.
  private foot(): void {
    const link = (url: string, text: string) => h("a", { href: url, rel: "noreferrer noopener" }, text);
    const said = t("Read as RFC 9309 says, by the engine of github.com/robotsexclusion/robots, which runs in this browser. A link holds its state behind the #, which browsers do not send.");
    const foot = element("foot");
    if (foot.firstElementChild?.textContent !== said) replace(foot, h("p", {}, said), h("p", {}));
    const facts = foot.lastElementChild;
    if (facts) replace(facts, link("https://github.com/robotsexclusion/robots/blob/main/doc/page.md", t("Help")), " · ", link("https://github.com/robotsexclusion/robots", t("Source")), " · ", link("https://www.rfc-editor.org/rfc/rfc9309", "RFC 9309"), this.known ? ` · ${t("Table of robots: %[1]s", this.known.version.split(",")[0] ?? "")}` : "");
  }
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

// drawn waits until the browser has drawn the page, or for a moment in a tab that it does not draw.
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 300);
  });
}

void new Page().start();
