// The editor of robots.txt: a plain field at first, which is CodeMirror once its code is there.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Code } from "./code";
import { Columns, place } from "./columns";
import { h } from "./dom";
import type { Diagnostic, Edit, Known, Robot } from "./engine";
import { t } from "./messages";

let code: typeof import("./code") | null = null;
const plain = new Set<Editor>(); // editors without CodeMirror

/** Loads CodeMirror, and gives it to all editors. If it cannot be loaded, they stay plain fields. */
export async function loadCode(): Promise<void> {
  code = await import("./code");
  for (const editor of plain) {
    await pause();
    if (editor.element.isConnected) await editor.grow(pause);
    else plain.delete(editor); // of a view that is gone
  }
}

/** Lets the browser draw and hear keys between two pieces of work. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; }
  :host > div { height: 100%; }
  textarea { display: block; box-sizing: border-box; width: 100%; height: 100%; border: none; margin: 0; padding: 0.5rem 0.25rem 0.5rem 2rem; resize: none; background: var(--field-bg); color: var(--text); font: 0.875rem/1.55 var(--mono); }
  textarea:focus { outline: none; }
`);

type Marks = [text: string, diagnostics: Diagnostic[], fix: (d: Diagnostic) => void];

/** An editor of a text of robots.txt. */
export class Editor {
  /** Its element, which holds the editor in a shadow root. */
  readonly element = h("div", { class: "editor" });
  private readonly root = this.element.attachShadow({ mode: "open" });
  private readonly frame = h("div");
  private readonly field = h("textarea", { spellcheck: "false", autocapitalize: "off" });
  private code: Code | null = null;
  private known: Known | null = null;
  private label = "robots.txt";
  private marks: Marks | null = null; // of a plain field, for CodeMirror
  private line = 0; // highlighted in a plain field
  private composing = false; // a letter of several keys, in the field

  constructor(
    text: string,
    private readonly changed: (text: string) => void,
    private readonly writable = true,
  ) {
    this.root.adoptedStyleSheets = [sheet];
    this.root.append(this.frame);
    this.field.value = text;
    this.field.readOnly = !writable;
    this.field.addEventListener("input", () => changed(this.field.value));
    this.field.addEventListener("compositionstart", () => {
      this.composing = true;
    });
    this.field.addEventListener("compositionend", () => {
      this.composing = false;
      setTimeout(() => void this.grow()); // after the last input
    });
    if (code) {
      void this.grow();
    } else {
      plain.add(this);
      this.frame.append(this.field);
      this.name(this.label);
    }
  }

  /** Puts CodeMirror in the place of the field, with its text, its selection and its focus, unless a letter is being composed. */
  async grow(pause?: () => Promise<void>): Promise<void> {
    if (!code || this.code || this.composing) return;
    plain.delete(this);
    const focused = this.root.activeElement === this.field;
    const { selectionStart, selectionEnd } = this.field;
    this.field.remove();
    this.code = new code.Code(this.root, this.frame, this.field.value, this.label, { changed: this.changed, complete: (context) => this.complete(context), hover: (line) => this.hover(line) }, this.writable);
    if (focused) {
      this.code.select(selectionStart, selectionEnd);
      this.code.focus();
    }
    const finished = this.code.finish(pause);
    if (pause) await finished;
    if (this.marks) this.code.mark(...this.marks);
    if (this.line > 0) this.code.highlight(this.line);
    this.marks = null;
  }

  /** Names the editor for screen readers. */
  name(label: string): void {
    this.label = label;
    this.field.setAttribute("aria-label", label);
    this.code?.name(label);
  }

  /** Gives the editor the robots and fields that it completes. */
  learn(known: Known): void {
    this.known = known;
  }

  get text(): string {
    return this.code ? this.code.text : this.field.value;
  }
  set text(text: string) {
    if (text === this.text) return;
    if (this.code) {
      this.code.text = text;
    } else {
      this.field.value = text;
      this.changed(this.field.value);
    }
  }

  focus(): void {
    if (this.code) this.code.focus();
    else this.field.focus();
  }

  /** Shows findings under the text, unless the text has changed since. */
  mark(...marks: Marks): void {
    if (this.code) this.code.mark(...marks);
    else this.marks = marks;
  }

  /** Changes the text by edits, which count bytes of UTF-8. The change can be undone. */
  apply(edits: Edit[]): void {
    if (this.code) {
      this.code.apply(edits);
      return;
    }
    let text = this.text;
    for (const { start, end, new: inserted } of [...edits].sort((a, b) => b.start - a.start)) text = text.slice(0, place(text, start)) + inserted + text.slice(place(text, end));
    this.text = text;
    this.focus();
  }

  /** Highlights a line and scrolls to it; 0 highlights none. */
  highlight(line: number): void {
    if (this.code) this.code.highlight(line);
    else this.line = line;
  }

  /** Puts the cursor into a line. */
  go(line: number, column = 1): void {
    if (this.code) {
      this.code.go(line, column);
      return;
    }
    const lines = this.text.split("\n");
    const n = Math.min(Math.max(line, 1), lines.length);
    const at = lines.slice(0, n - 1).join("\n").length + (n > 1 ? 1 : 0) + new Columns(lines[n - 1] ?? "", n === 1).of(column);
    this.field.setSelectionRange(at, at);
    this.focus();
  }

  // complete offers the fields at the start of a line, and robots after "User-agent:".
  private complete(context: CompletionContext): CompletionResult | null {
    const known = this.known;
    if (!known) return null;
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const agent = /^\s*user-agent\s*:\s*(\S*)$/i.exec(before);
    if (agent) {
      const options: Completion[] = [{ label: "*", detail: t("all robots that no group names") }];
      for (const robot of known.robots) {
        options.push({ label: robot.token, detail: [robot.operator, robot.purposes.map(purposeName).join(", ")].filter(Boolean).join(" · ") });
      }
      return { from: context.pos - (agent[1] ?? "").length, options, validFor: /^\S*$/ };
    }
    const field = /^\s*([A-Za-z-]*)$/.exec(before);
    if (!field || (before.trim() === "" && !context.explicit)) return null;
    return {
      from: context.pos - (field[1] ?? "").length,
      options: known.fields.filter((f) => f.read).map((f) => ({ label: f.name, apply: `${f.name}: `, detail: f.document })),
      validFor: /^[A-Za-z-]*$/,
    };
  }

  // hover explains the robot of a User-agent line, or the field of another line.
  private hover(line: string): HTMLElement | null {
    const known = this.known;
    const parts = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line);
    if (!known || !parts) return null;
    const name = (parts[1] ?? "").toLowerCase();
    const value = (parts[2] ?? "").trim();
    let texts: string[] = [];
    if (name === "user-agent") {
      const robot = known.robots.find((r) => r.token.toLowerCase() === value.toLowerCase());
      if (robot) texts = describe(robot);
      else if (value === "*") texts = [t("all robots that no group names")];
      else texts = [t("No known robot has this name.")];
    } else {
      const found = known.fields.find((f) => f.name.toLowerCase() === name);
      if (found) texts = [`${found.name}: ${found.example}`, found.document, found.read ? "" : t("No robot is known to read this field.")];
    }
    if (texts.length === 0) return null;
    return h("div", {}, ...texts.filter(Boolean).map((s) => h("div", {}, s)));
  }
}

/** Returns sentences about a robot. */
export function describe(robot: Robot): string[] {
  const lines = [[robot.name, robot.operator].filter(Boolean).join(" · "), robot.purposes.map(purposeName).join(", ")];
  if (robot.robots_txt === "obeys") lines.push(t("Its operator says that it obeys robots.txt."));
  if (robot.robots_txt === "partly") lines.push(t("It obeys robots.txt in some cases."));
  if (robot.robots_txt === "ignores") lines.push(t("It does not obey robots.txt."));
  if (robot.policy_only) lines.push(t("No robot sends this name: it says what may be done with pages that another one fetches."));
  if (!robot.everyone) lines.push(t("It ignores the group for all robots (*)."));
  return lines;
}

/** Returns the name of a purpose for people. */
export function purposeName(purpose: string): string {
  return t(`purpose ${purpose}` as "purpose other");
}
