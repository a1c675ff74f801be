// Audit: access logs held against the robots.txt in the editor. The logs are read in a worker, and the page never has them.

import { type App, messageOf, newest, type View } from "./app";
import { reportOf } from "./auditreport";
import { type Form, type Options, Run } from "./auditrun";
import { hasBytes } from "./bytes";
import { field, h, replace, save, unique } from "./dom";
import { t } from "./messages";
import { example } from "./state";

// The run of the page. It outlives its view: an audit goes on while another view is shown.
const run = new Run();

// dropped is what the shown view does with files.
let dropped: ((files: File[]) => void) | null = null;

/** Returns the view. */
export function auditView(app: App): View {
  const choose = h("input", { type: "file", multiple: true, class: "sr", tabindex: -1, "aria-hidden": "true" });
  const opener = h("button", { type: "button", click: () => choose.click() }, t("choose files…"));
  choose.addEventListener("change", () => {
    const files = [...(choose.files ?? [])];
    choose.value = ""; // the same file can be chosen again
    start(files);
  });
  const zone = h("div", { class: "drop" }, h("p", {}, t("Drop access logs here, or"), " ", opener, choose), h("p", { class: "hint" }, t("Any usual format, also compressed. The logs are read in this browser, piece by piece, and sent to nobody.")));

  const formats = h("datalist", { id: "log-formats" });
  const text = (member: "logformat" | "loghost", attributes: Record<string, string>) => {
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
    input.value = app.state[member];
    input.addEventListener("input", () => {
      app.state[member] = input.value.trim();
      app.keep();
      status();
    });
    return input;
  };
  const hide = h("input", { type: "checkbox", checked: app.state.logaddresses !== "shown" });
  hide.addEventListener("change", () => {
    app.state.logaddresses = hide.checked ? "" : "shown";
    app.keep();
    show();
  });
  const hint = unique();
  hide.setAttribute("aria-describedby", hint);

  const progress = h("div", { class: "progress" });
  const bar = h("progress", { max: 100, "aria-label": t("Access logs") });
  const said = h("span", {});
  const stop = h("button", { type: "button", click: () => run.stop() }, t("Stop"));
  const report = h("section", { class: "view result" });
  let last = run.progress;
  let held: File[] = []; // logs that wait for a robots.txt

  const options = (): Options => ({ robots: app.state.text, format: app.state.logformat, site: app.state.loghost });
  const start = (files: File[]) => {
    if (files.length === 0) return;
    held = [];
    if (app.state.text === example.text) {
      held = files; // the page's example says nothing about the robots that came to a site
      refuse(t("The robots.txt in the editor is the example of this page. Write, paste or open that of the site: these logs wait for it."));
    } else if (hasBytes(app.state.text)) {
      refuse(t("The robots.txt has bytes that are not UTF-8, which this view cannot read: robots audit can."));
    } else {
      void run.start(files, options());
    }
  };
  const refuse = (why: string) => {
    run.stop();
    replace(report);
    last = run.progress;
    replace(progress, h("p", { class: "wrong", role: "alert" }, why));
  };
  const again = () => h("button", { type: "button", click: () => start(run.files) }, t("Audit again"));

  // status shows how far the run is.
  function status(): void {
    if (held.length > 0) {
      if (app.state.text === example.text) return;
      replace(progress, h("p", { class: "bar" }, h("span", { class: "grow" }, t("%[1]d ⟨log/logs⟩", held.length)), h("button", { type: "button", click: () => start(held) }, t("Audit them"))));
      return;
    }
    if (run.progress !== last) {
      last = run.progress;
      if (last === "reading" || last === "stopped") replace(report);
      if (last === "reading") app.say(t("%[1]d ⟨log/logs⟩", run.files.length));
      if (last === "stopped") app.say(t("Stopped."));
      if (last === "failed") app.say(run.failures.join(" "));
      if (last === "done") {
        show();
        if (document.activeElement === document.body || element.contains(document.activeElement)) report.scrollIntoView({ block: "start" }); // it is below the form
      }
    }
    const logs = h("span", { class: "grow" }, `${t("%[1]d ⟨log/logs⟩", run.files.length)}: ${run.files.slice(0, 3).map((f) => f.name).join(", ")}${run.files.length > 3 ? ", …" : ""} (${bytes(run.size)})`);
    switch (run.progress) {
      case "none":
        replace(progress);
        return;
      case "reading": {
        const whole = run.size > 0 && run.read >= run.size;
        bar.value = run.size > 0 ? (100 * run.read) / run.size : 100;
        replace(said, whole ? t("Making the report…") : t("%[1]s of %[2]s read", bytes(run.read), bytes(run.size)));
        if (!bar.isConnected || bar.parentElement !== progress) replace(progress, h("p", { class: "bar" }, logs), bar, h("p", { class: "bar" }, h("span", { class: "grow" }, said), stop));
        return;
      }
      case "stopped":
        replace(progress, h("p", { class: "bar" }, logs, t("Stopped."), again()));
        return;
      case "failed":
        replace(progress, h("p", { class: "bar" }, logs, again()), ...run.failures.map((f) => h("p", { class: "wrong" }, f)));
        return;
      case "done": {
        const now = options();
        const same = run.options?.robots === now.robots && run.options.format === now.format && run.options.site === now.site;
        replace(progress, h("p", { class: "bar" }, logs, !same && h("span", {}, t("robots.txt or the options have changed since this report.")), again()), ...run.failures.map((f) => h("p", { class: "wrong" }, f)));
      }
    }
  }

  // show shows the report.
  const show = newest(async () => {
    if (run.progress !== "done") return;
    try {
      const r = await run.report(app.language, hide.checked);
      const buttons = (["html", "json", "csv"] as const).map((form) => h("button", { type: "button", click: () => void keep(form) }, form.toUpperCase()));
      replace(
        report,
        h("div", { class: "bar" }, h("h2", { class: "grow" }, r.text["title"]), h("span", {}, t("Save the report:")), ...buttons),
        ...(run.requests === 0 && r.nothing === "" ? [h("p", { class: "verdict partly" }, h("strong", {}, t("The logs have no requests.")))] : reportOf(r, (robot) => void keep("letter", robot))),
      );
      app.say(t("The report is ready."));
    } catch (error) {
      replace(report, h("p", { class: "wrong" }, messageOf(error)));
    }
  });

  async function keep(form: Form, robot = 0): Promise<void> {
    const types: Record<Form, string> = { html: "text/html", json: "application/json", csv: "text/csv", letter: "text/plain" };
    try {
      const text = await run.save(form, app.language, hide.checked, robot);
      save(form === "letter" ? "letter.txt" : `audit.${form}`, new Blob([text], { type: `${types[form]};charset=utf-8` }));
    } catch (error) {
      replace(progress, h("p", { class: "wrong" }, messageOf(error)));
    }
  }

  const element = h(
    "div",
    { class: "audit" },
    h(
      "section",
      { class: "view", "aria-label": t("Access logs") },
      h("div", { class: "bar" }, h("h2", {}, t("Access logs"))),
      zone,
      progress,
      h("p", {}, t("All requests are held against the robots.txt in the editor, as if it had always been in force.")),
      h("label", { class: "choice" }, hide, t("Cut addresses to their networks")),
      h("p", { class: "hint", id: hint }, t("For reports that others see. The operator of a robot needs whole addresses.")),
      h(
        "div",
        { class: "inputs" },
        field(t("Format of the logs"), text("logformat", { list: "log-formats", placeholder: t("found by itself") }), t("A name such as combined, or the text of log_format (nginx) or LogFormat (Apache).")),
        field(t("Host of this robots.txt"), text("loghost", { inputmode: "url", placeholder: "shop.example.com" }), t("Only for logs of several hosts: each has its own robots.txt.")),
        formats,
      ),
      terminal(),
    ),
    report,
  );

  dropped = (files) => {
    if (element.isConnected) start(files);
  };
  run.changed = () => {
    if (element.isConnected) status();
  };
  run.formats().then(
    (names) => replace(formats, ...names.map((value) => h("option", { value }))),
    (error) => {
      if (element.isConnected) replace(progress, h("p", { class: "wrong" }, t("The engine could not be loaded: %[1]s", messageOf(error))));
    },
  );
  status();
  show();
  return { editor: true, element, update: status };
}

/** Audits logs that were dropped on the page, if the view is shown. */
export function auditLogs(files: File[]): void {
  dropped?.(files);
}

// terminal says what only the command can do.
function terminal(): HTMLElement {
  const more = (command: string, what: string) => h("li", {}, what, h("br"), h("code", {}, command));
  return h(
    "details",
    { class: "terminal" },
    h("summary", {}, t("In a terminal, robots audit does more:")),
    h(
      "ul",
      {},
      more("robots audit --robots robots.txt --ranges ranges/ --verify access.log", t("verifies robots by published ranges and the DNS")),
      more("robots audit --git site:public/robots.txt access.log", t("knows the versions of robots.txt from git")),
      more("robots audit --history cache/ access.log", t("or from what robots fetch kept")),
      more("robots audit --follow --robots robots.txt access.log", t("follows logs while servers write them")),
    ),
  );
}

// bytes returns a size as people write it.
function bytes(n: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let unit = 0;
  let size = n;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: units[unit] ?? "byte", unitDisplay: "short", maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0 }).format(size);
}
