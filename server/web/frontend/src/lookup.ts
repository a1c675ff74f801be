// Look up: a robot by its name or header, and an address in the ranges that an operator publishes.

import { type App, later, messageOf, newest, type View } from "./app";
import { field, h, replace } from "./dom";
import { describe } from "./editor";
import type { Found, Robot } from "./engine";
import { t } from "./messages";
import { notesOf } from "./test";

/** Returns the view. */
export function lookupView(app: App): View {
  const query = h("input", { type: "text", autocomplete: "off", spellcheck: "false", list: "lookup-robots" });
  const list = h("datalist", { id: "lookup-robots" });
  query.value = app.state.query;
  query.addEventListener("input", () => {
    app.state.query = query.value;
    app.keep();
    find();
  });
  const address = h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "66.249.66.1" });
  address.value = app.state.address;
  const ranges = h("textarea", { rows: 5, spellcheck: "false" });
  const soon = later(150, () => check());
  address.addEventListener("input", () => {
    app.state.address = address.value;
    app.keep();
    soon();
  });
  ranges.addEventListener("input", soon);
  const found = h("div", { class: "card", "aria-live": "polite" });
  const listed = h("div", { "aria-live": "polite" });

  const find = newest(async () => {
    const name = query.value.trim();
    if (name === "") {
      replace(found);
      return;
    }
    try {
      const reached = await app.engine.explain(app.state.text, name, "/", app.language);
      const robot = await app.engine.lookup(name, reached.notes !== undefined || reached.tokens[0] === name);
      const first = reached.dialects[0]?.explanation;
      const others = robot.facts.known || robot.facts.kind === "browser" ? [] : await app.engine.robotsLike(name);
      replace(found, ...notesOf(reached.notes), ...card(robot, first?.group ?? "", first?.match.allowed ?? true), ...like(others));
    } catch (error) {
      replace(found, h("p", { class: "wrong" }, messageOf(error)));
    }
  });

  // like offers robots whose names have the text in them.
  function like(robots: Robot[]): HTMLElement[] {
    const ask = (token: string) => {
      query.value = token;
      app.state.query = token;
      app.keep();
      find();
    };
    const known = robots.filter((r) => r.known); // a header that nobody knows is found as itself
    if (known.length === 0) return [];
    return [h("p", {}, t("Robots with such a name:")), h("ul", { class: "plain" }, ...known.slice(0, 20).map((r) => h("li", {}, h("button", { type: "button", class: "where", click: () => ask(r.token) }, r.token), " ", h("span", { class: "hint" }, r.operator ?? ""))))];
  }

  const check = newest(async () => {
    if (address.value.trim() === "" || ranges.value.trim() === "") {
      replace(listed, address.value.trim() !== "" && h("p", { class: "hint" }, t("Paste the ranges of an operator too: then the page says whether the address is in them.")));
      return;
    }
    try {
      const answer = await app.engine.address(address.value, ranges.value);
      replace(
        listed,
        h(
          "p",
          { class: `verdict ${answer.listed ? "open" : "closed"}` },
          answer.listed ? t("%[1]s is in %[2]s", answer.address, answer.prefix ?? "") : t("%[1]s is in none of the %[2]d ranges", answer.address, answer.entries),
        ),
      );
    } catch (error) {
      replace(listed, h("p", { class: "wrong" }, messageOf(error)));
    }
  });

  return {
    editor: false,
    element: h(
      "div",
      { class: "view lookup two" },
      h("section", {}, h("h2", {}, t("Robot")), field(t("Name or User-Agent header"), query, t("Such as GPTBot, or a line of a log.")), list, found),
      h(
        "section",
        {},
        h("h2", {}, t("Address")),
        field(t("IP address"), address),
        field(t("Ranges"), ranges, t("Paste the list that the operator publishes; the card of the robot has its address. This page fetches nothing.")),
        listed,
      ),
    ),
    update() {
      if (app.known && list.childElementCount === 0) replace(list, ...app.known.robots.map((r) => h("option", { value: r.token })));
      find();
      check();
    },
  };
}

// card returns what is known about a robot.
function card({ facts, tokens }: Found, group: string, open: boolean): HTMLElement[] {
  const link = (url: string) => h("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, url);
  const fact = (name: string, ...value: (Node | string)[]) => h("div", {}, h("dt", {}, name), h("dd", {}, ...value));
  if (!facts.known) {
    return [
      h("h3", {}, facts.token || t("No robot")),
      h("p", {}, facts.kind === "browser" ? t("A browser: a person, or a robot that poses as one.") : facts.kind === "robot" ? t("A robot by its header, in no table.") : t("In no table of robots.")),
      h(
        "dl",
        {},
        ...(facts.kind !== "browser" && tokens.length > 0 ? [fact(t("Obeys the groups of"), [...tokens, "*"].join(", "))] : []),
        ...(facts.kind !== "browser" ? [fact(t("In this robots.txt"), group === "" ? t("No group is for this robot.") : group, " · ", open ? t("may fetch /") : t("may not fetch /"))] : []),
      ),
    ];
  }
  const links = [facts.docs, facts.source].filter((url): url is string => !!url);
  const ranges = facts.verify?.ranges ?? [];
  const [title, ...said] = describe(facts);
  return [
    h("h3", {}, title || facts.token),
    ...said.filter(Boolean).map((s) => h("p", {}, s)),
    h(
      "dl",
      {},
      fact(t("Obeys the groups of"), [...facts.tokens, ...(facts.everyone ? ["*"] : [])].join(", ")),
      fact(t("In this robots.txt"), group === "" ? t("No group is for this robot.") : group, " · ", open ? t("may fetch /") : t("may not fetch /")),
      ...(ranges.length > 0 ? [fact(t("Ranges"), ...ranges.map((url) => h("div", {}, link(url))))] : []),
      ...(facts.verify?.dns ? [fact("DNS", facts.verify.dns.join(", "))] : []),
      ...(links.length > 0 ? [fact(t("Documentation"), ...links.map((url) => h("div", {}, link(url))))] : []),
      ...(facts.checked ? [fact(t("Checked"), facts.checked)] : []),
    ),
  ];
}
