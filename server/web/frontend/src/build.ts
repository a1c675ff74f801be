// Build: switches show what robots.txt says by purpose and robot, and close the site or open it. The new file is made as robots block and
// robots allow make it, with what that means and costs, what changes by meaning and by lines, and proofs.

import { type App, later, linesOf, messageOf, newest, type View } from "./app";
import { hasBytes } from "./bytes";
import { area, changes } from "./compare";
import { field, h, replace, save } from "./dom";
import { Editor, purposeName } from "./editor";
import type { Card, Changed, Proof, Reached } from "./engine";
import { linesThatChange } from "./lines";
import { t } from "./messages";
import { proofs } from "./prove";

// closedTo returns the robots to which the whole site is closed.
function closedTo(says: { state: string; robots: string[] }[]): string[] {
  return says.filter((s) => s.state === "closed").flatMap((s) => s.robots);
}

const famous = ["Googlebot", "bingbot", "Applebot", "DuckDuckBot", "YandexBot", "Baiduspider"];

// engines returns the search engines to which the whole site is closed, those that most people know first.
function engines({ card }: Card): string[] {
  const closed = closedTo(card.purposes.find((p) => p.purpose === "search")?.says ?? []);
  return [...famous.filter((name) => closed.includes(name)), ...closed.filter((name) => !famous.includes(name))];
}

type Reach = Reached["reach"];

// A Says is how much of the site a text opens to each known robot, and to all others.
interface Says {
  robots: Reach[];
  others: Reach;
}

function saysOf(reached: Reached[], robots: number): Says {
  const says: Says = { robots: Array.from({ length: robots }, () => "open" as Reach), others: "open" };
  for (const g of reached) {
    for (const i of g.robots) says.robots[i] = g.reach;
    if (g.others) says.others = g.reach;
  }
  return says;
}

// A Switch is that of a purpose, of a robot, or of "*": all robots that the file does not name.
interface Switch {
  name: string;
  of: (says: Says) => Reach[];
  input: HTMLInputElement;
  state: HTMLElement;
  cost: HTMLElement;
  open?: HTMLElement;
}

// words returns in words how much of the site is open to robots.
function words(reached: Reach[]): string {
  const closed = reached.filter((r) => r === "closed").length;
  if (closed > 0) return closed === reached.length ? t("closed") : t("%[1]d of %[2]d closed", closed, reached.length);
  return reached.every((r) => r === "open") ? t("open") : t("partly open");
}

function allClosed(reached: Reach[]): boolean {
  return reached.length > 0 && reached.every((r) => r === "closed");
}

/** Returns the view. */
export function buildView(app: App): View {
  const switches = h("fieldset", { class: "switchlist" });
  const result = h("div", { "aria-live": "polite" });
  const alarm = h("div", { class: "changes" });
  const reset = h("button", { type: "button", hidden: true, click: () => clear() }, t("As in the editor"));
  const server = h("select", {}, h("option", { value: "" }, t("choose a server")));
  server.addEventListener("change", () => configure());
  const configuration = h("div", { "aria-live": "polite" });
  const site = app.site?.origin ?? "https://example.com";
  const then = h(
    "section",
    { hidden: true, "aria-label": t("And then") },
    h("h2", {}, t("And then")),
    h("p", {}, t("Save the file, and put it at %[1]s.", `${site}/robots.txt`)),
    field(t("Or let the server refuse robots that do not obey"), server, t("The server answers 403 to robots that name themselves and fetch what the file closes. People are not refused.")),
    configuration,
    h("p", {}, t("Then watch it: you hear of it if the file changes, fails or closes the site."), " ", document.getElementById("tab-watch") && h("button", { type: "button", class: "where", click: () => app.go("watch") }, t("Watch"))),
    h("pre", {}, `robots monitor --listen 127.0.0.1:8020 ${site}`),
  );
  const shown: Switch[] = [];
  const output = new Editor("", () => {}, false);
  output.name(t("The new robots.txt"));
  const closing = new Set(app.state.blocked.split(",").filter(Boolean));
  const opening = new Set(app.state.spared.split(",").filter(Boolean));
  let before: Says | null = null;
  let after: Says | null = null;
  let costs = new Map<string, string>(); // of the purposes that are closed or opened

  const update = newest(async () => {
    const known = app.known;
    if (!known) return;
    if (switches.childElementCount === 0) fillSwitches();
    if (hasBytes(app.state.text)) {
      none(t("The robots.txt has bytes that are not UTF-8: write them as %XX first, or they would be lost."));
      return;
    }
    try {
      before = saysOf(await app.engine.reach(app.state.text), known.robots.length);
      const built = await app.engine.change(app.state.text, [...closing], [...opening], linesOf(app.state.closed, 100), app.language);
      after = saysOf(await app.engine.reach(built.text), known.robots.length);
      const claims = claimsOf();
      const proven = claims.length === 0 ? [] : (await app.engine.prove(built.text, claims.join("\n"))).claims;
      costs = new Map(built.costs.map((c) => [c.purpose, c.text]));
      output.text = built.text;
      then.hidden = false;
      configure();
      await compare(built);
      show(built, proven);
    } catch (error) {
      none(messageOf(error));
    }
    for (const s of shown) draw(s);
  });
  const soon = later(100, update);

  // configure shows how the chosen server enforces the new file.
  const configure = newest(async () => {
    try {
      const { servers: names, files, includes, notes } = await app.engine.exports(output.text, server.value);
      if (server.options.length === 1) server.append(...names.map((name) => h("option", { value: name }, name)));
      replace(
        configuration,
        ...(files.length > 0 ? [h("ul", { class: "plain" }, ...files.map((f) => h("li", {}, h("button", { type: "button", click: () => save(f.name, new Blob([f.text], { type: "text/plain" })) }, t("Save %[1]s", f.name)))))] : []),
        ...includes.flatMap((i) => [h("p", {}, t("Add to the configuration of the server"), " ", h("span", { class: "hint", lang: "en" }, `(${i.place}):`)), h("pre", {}, i.lines.join("\n"))]),
        ...notes.map((note) => h("p", { class: "hint", lang: "en" }, note)),
      );
    } catch (error) {
      replace(configuration, h("p", { class: "wrong" }, messageOf(error)));
    }
  });

  // none shows that there is no new file, and why.
  function none(why: string): void {
    output.text = "";
    after = null;
    then.hidden = true;
    replace(alarm);
    replace(result, h("p", { class: "wrong" }, why));
  }

  // compare shows what the new file changes, by meaning and by lines, what that costs, its mistakes, and an alarm if it closes the site to search.
  async function compare(built: Changed): Promise<void> {
    if (built.text === app.state.text) {
      replace(alarm, h("p", { class: "hint" }, t("Nothing changes: the new file is that in the editor.")));
      return;
    }
    const [was, is, difference] = [await app.engine.card(app.state.text, app.language, "", null), await app.engine.card(built.text, app.language, "", null), await app.engine.diff(app.state.text, built.text)];
    const closed = new Set(engines(was));
    const lost = engines(is).filter((name) => !closed.has(name));
    const { mistakes } = is.card;
    replace(
      alarm,
      lost.length > 0 && !lost.some((name) => famous.includes(name)) && h("p", { class: "hint" }, t("These robots read pages for search too, and will not any more: %[1]s.", lost.slice(0, 8).join(", "))),
      lost.some((name) => famous.includes(name)) && h("p", { class: "verdict closed", role: "alert" }, h("strong", {}, t("This closes the site to search: %[1]s. People will not find its pages there any more.", lost.length > 8 ? `${lost.slice(0, 8).join(", ")}, …` : lost.join(", ")))),
      ...mistakes.findings.map((f) => h("p", { class: f.severity === "error" ? "wrong" : "hint" }, t("line %[1]d", f.line), ": ", f.message)),
      h("details", { open: true }, h("summary", {}, t("What changes, by meaning")), ...changes(difference)),
      h("details", { open: true }, h("summary", {}, t("What changes, by lines")), linesThatChange(built.lines, t("What changes, by lines"))),
    );
  }

  // inWords returns a proof of a claim about a purpose with the name of the purpose.
  function inWords(proof: Proof): Proof {
    const [, purpose = "", not, path = ""] = /^(\S+) may (not )?fetch (.*)$/.exec(proof.text) ?? [];
    if (!app.known?.purposes.includes(purpose)) return proof;
    return { ...proof, text: not ? t("%[1]s may not fetch %[2]s", purposeName(purpose), path) : t("%[1]s may fetch %[2]s", purposeName(purpose), path) };
  }

  // claimsOf returns what the switches want, as claims.
  function claimsOf(): string[] {
    const robots = app.known?.robots ?? [];
    const claims: string[] = [];
    const claim = (wanted: Set<string>, others: Set<string>, verb: string) => {
      for (const name of wanted) {
        if (others.has(name) || name === "*") continue;
        const all = robots.filter((r) => r.purposes.includes(name));
        const rest = all.filter((r) => !others.has(r.token));
        if (all.length === 0 || rest.length === all.length) claims.push(`${name} ${verb} /`);
        else if (rest.length > 0) claims.push(`${rest.map((r) => r.token).join(", ")} ${verb} /`);
      }
    };
    claim(closing, opening, "may not fetch");
    claim(opening, closing, "may fetch");
    return [...claims, ...linesOf(app.state.closed, 100).map((path) => `* may not fetch ${path}`)];
  }

  // wish keeps what is wanted of a purpose or a robot: that it is closed, open, or as in the editor.
  function wish(name: string, wanted: "closed" | "open" | null): void {
    closing.delete(name);
    opening.delete(name);
    if (wanted === "closed") closing.add(name);
    if (wanted === "open") opening.add(name);
    kept();
  }

  function kept(): void {
    app.state.blocked = [...closing].join(",");
    app.state.spared = [...opening].join(",");
    app.keep();
    for (const s of shown) draw(s);
    soon();
  }

  function clear(): void {
    closing.clear();
    opening.clear();
    kept();
  }

  // turn turns a switch. It wants no more than that the new file says so.
  function turn({ name, of }: Switch, on: boolean): void {
    const purposes = app.known?.robots.find((r) => r.token === name)?.purposes ?? [];
    const closed = before !== null && allClosed(of(before));
    const against = purposes.some((p) => (on ? opening : closing).has(p));
    if (on) wish(name, closed && !against ? null : "closed");
    else wish(name, closed || against ? "open" : null);
  }

  // draw shows the state of a switch. One that was turned does not wait for the engine.
  function draw({ name, of, input, state, cost, open }: Switch): void {
    const says = after ?? before;
    input.checked = closing.has(name) || (!opening.has(name) && says !== null && allClosed(of(says)));
    const now = before && words(of(before));
    const then = after && words(of(after));
    state.textContent = [now && t("now: %[1]s", now), then && then !== now && t("then: %[1]s", then)].filter(Boolean).join(" · ");
    cost.textContent = costs.get(name) ?? "";
    if (open) open.hidden = !says || opening.has(name) || !of(says).includes("closed") || allClosed(of(says));
    reset.hidden = closing.size + opening.size === 0;
  }

  function switchOf(name: string, label: string, of: (says: Says) => Reach[], about: string): HTMLElement[] {
    const input = h("input", { type: "checkbox", role: "switch", value: name });
    const s: Switch = { name, of, input, state: h("span", { class: "hint" }), cost: h("p", { class: "hint cost" }) };
    input.addEventListener("change", () => turn(s, input.checked));
    shown.push(s);
    const open = h("button", { type: "button", class: "where", hidden: true, "aria-label": t("Open all: %[1]s", label), click: () => wish(name, "open") }, t("Open all"));
    if (about !== "") s.open = open;
    draw(s);
    return [h("label", { class: "switch" }, input, h("span", {}, label), s.state), ...(about !== "" ? [s.cost, open] : [])];
  }

  // purposeItem returns the switch of a purpose, and those of its robots, which are made when they are asked for.
  function purposeItem(purpose: string): HTMLElement {
    const robots = app.known?.robots ?? [];
    const places = robots.flatMap((r, i) => (r.purposes.includes(purpose) ? [i] : []));
    const of = (says: Says) => places.map((i) => says.robots[i] ?? "open");
    const list = h("ul", { class: "plain" });
    const details = h("details", {}, h("summary", {}, t("%[1]d ⟨robot/robots⟩", places.length), h("span", { class: "sr" }, `: ${purposeName(purpose)}`)), list);
    details.addEventListener("toggle", () => {
      if (!details.open || list.hasChildNodes()) return;
      replace(list, ...places.map((i) => h("li", {}, ...switchOf(robots[i]?.token ?? "", robots[i]?.token ?? "", (says) => [says.robots[i] ?? "open"], ""))));
    });
    return h("div", { class: "purpose" }, ...switchOf(purpose, purposeName(purpose), of, purpose), details);
  }

  function fillSwitches(): void {
    replace(switches, h("legend", {}, t("Closed to robots for")), ...(app.known?.purposes ?? []).map(purposeItem), h("div", { class: "purpose" }, ...switchOf("*", t("Robots that the file does not name"), (says) => [says.others], "")));
  }

  function show(built: Changed, proven: Proof[]): void {
    const notes = [...built.notes.map((note) => h("li", {}, note)), ...built.also.slice(0, 12).map((name) => h("li", {}, t("%[1]s also reads pages for search.", name), " ", h("button", { type: "button", class: "where", click: () => wish(name, "open") }, t("Leave %[1]s open", name))))];
    replace(
      result,
      ...(proven.length > 0 ? [h("h3", {}, t("Proven for all paths")), proofs(proven.map(inWords))] : []),
      ...(notes.length > 0 ? [h("h3", {}, t("Notes")), h("ul", { class: "plain notes" }, ...notes.slice(0, 50))] : []),
      ...(opening.size > 0 ? [h("h3", {}, t("Opened")), h("ul", { class: "plain" }, ...[...opening].map((name) => h("li", {}, h("code", {}, app.known?.purposes.includes(name) ? purposeName(name) : name), " ", h("button", { type: "button", class: "where", click: () => wish(name, null) }, t("Not open")))))] : []),
      ...(built.commands.length > 0 ? [h("h3", {}, t("In a terminal:")), h("pre", {}, built.commands.join("\n"))] : []),
    );
  }

  const use = () => {
    if (output.text === "") return;
    app.editor.text = output.text;
    app.state.closed = "";
    const field = paths.querySelector("textarea");
    if (field) field.value = "";
    clear(); // the file in the editor says so now
    app.say(t("The new robots.txt is in the editor."));
  };
  const paths = area(
    t("Paths that are closed to all"),
    app.state.closed,
    2,
    (text) => {
      app.state.closed = text;
      app.keep();
      soon();
    },
    t("One a line, such as /cart/."),
  );
  return {
    editor: true,
    element: h(
      "div",
      { class: "view build" },
      h("p", { class: "hint" }, t("The switches show what the new file says: on is closed. Without a choice of yours the new file is that in the editor; only lines that must change do, and all other bytes stay.")),
      switches,
      reset,
      paths,
      alarm,
      h("div", { class: "bar" }, h("h2", { class: "grow" }, t("The new robots.txt")), h("button", { type: "button", click: use }, t("Use it")), h("button", { type: "button", click: () => app.save(output.text) }, t("Save"))),
      output.element,
      result,
      then,
    ),
    update,
  };
}
