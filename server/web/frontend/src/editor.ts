// The editor of robots.txt: CodeMirror in a shadow root, where it uses constructed style sheets, which
// the page's Content-Security-Policy allows; elsewhere it would add inline styles.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Mark, setDiagnostics, lintKeymap } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h } from "./dom";
import type { Diagnostic, Edit, Known, Robot } from "./engine";
import { t } from "./messages";

// robotsText colours robots.txt: comments, fields, patterns with their wildcards.
const robotsText = StreamLanguage.define<{ value: boolean }>({
  startState: () => ({ value: false }),
  token(stream, state) {
    if (stream.sol()) state.value = false;
    if (stream.match(/^#.*/)) return "comment";
    if (!state.value) {
      if (stream.match(/^\s+/)) return null;
      if (stream.match(/^(user-agent|allow|disallow)\s*(?=:)/i)) return "keyword";
      if (stream.match(/^[^:#]+(?=:)/)) return "propertyName";
      if (stream.eat(":")) {
        state.value = true;
        return "punctuation";
      }
      stream.skipToEnd();
      return "invalid";
    }
    if (stream.match(/^[*$]/)) return "operator";
    stream.match(/^[^*$#]+/) || stream.next();
    return "string";
  },
  languageData: { commentTokens: { line: "#" } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--field)" },
  { tag: tags.operator, color: "var(--wildcard)", fontWeight: "600" },
  { tag: tags.string, color: "var(--text)" },
  { tag: tags.invalid, color: "var(--closed)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--field-bg)", fontSize: "0.875rem", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--field-bg)", color: "var(--muted)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-deciding": { backgroundColor: "var(--mark)", boxShadow: "inset 3px 0 var(--accent)" },
  ".cm-lintRange": { backgroundImage: "none !important", textDecoration: "underline wavy 1px", textUnderlineOffset: "3px", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecorationColor: "var(--closed)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--partly)" },
  ".cm-lintRange-info": { textDecorationColor: "var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "6px", maxWidth: "32rem", fontFamily: "var(--sans)" },
  ".cm-tooltip-hover": { padding: "0.5rem 0.75rem" },
  ".cm-diagnostic": { borderLeft: "3px solid var(--border)", padding: "0.4rem 0.75rem" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--closed)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--partly)" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)", font: "inherit", padding: "0.15rem 0.5rem", borderRadius: "4px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.5rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", fontFamily: "var(--sans)" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
});

// The highlighted line, which decides a verdict.
const highlight = StateEffect.define<number>();
const highlighted = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    set = transaction.docChanged ? Decoration.none : set;
    for (const effect of transaction.effects) {
      if (!effect.is(highlight)) continue;
      const lines = transaction.state.doc.lines;
      set = effect.value < 1 || effect.value > lines ? Decoration.none : Decoration.set([Decoration.line({ class: "cm-deciding" }).range(transaction.state.doc.line(effect.value).from)]);
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const maxMarks = 500; // findings that are underlined

/** An editor of a text of robots.txt. */
export class Editor {
  /** Its element, which holds the editor in a shadow root. */
  readonly element: HTMLElement;
  private readonly view: EditorView;
  private readonly label = new Compartment();
  private known: Known | null = null;

  constructor(text: string, changed: (text: string) => void, writable = true) {
    this.element = h("div", { class: "editor" });
    const root = this.element.attachShadow({ mode: "open" });
    const frame = document.createElement("div");
    root.append(frame);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:block} div:first-child{height:100%}");
    root.adoptedStyleSheets = [sheet];
    const extensions: Extension[] = [
      lineNumbers(),
      highlightActiveLine(),
      drawSelection(),
      bracketMatching(),
      history(),
      robotsText,
      syntaxHighlighting(colours),
      look,
      highlighted,
      EditorView.lineWrapping,
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      hoverTooltip((view, at) => this.hover(view, at)),
      keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      this.label.of([]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ];
    if (!writable) extensions.push(EditorState.readOnly.of(true));
    this.view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: frame, root });
  }

  /** Names the editor for screen readers. */
  name(label: string): void {
    this.view.dispatch({ effects: this.label.reconfigure(EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" })) });
  }

  /** Gives the editor the robots and fields that it completes. */
  learn(known: Known): void {
    this.known = known;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }
  set text(text: string) {
    if (text !== this.text) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  focus(): void {
    this.view.focus();
  }

  /** Shows findings under the text, unless the text has changed since. */
  mark(text: string, diagnostics: Diagnostic[], fix: (d: Diagnostic) => void): void {
    const doc = this.view.state.doc;
    if (text !== doc.toString()) return;
    const marks: Mark[] = [];
    for (const d of diagnostics.slice(0, maxMarks)) {
      const line = doc.line(Math.min(Math.max(d.line, 1), doc.lines));
      const column = new Columns(line.text, d.line === 1);
      const from = line.from + column.of(d.column);
      const to = Math.max(line.from + column.of(d.end_column), from);
      const mark: Mark = { from, to: d.line === 0 ? from : to, severity: d.severity, message: d.message, source: d.check };
      if (d.fix) mark.actions = [{ name: d.fix.title, apply: () => fix(d) }];
      marks.push(mark);
    }
    marks.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Changes the text by edits, which count bytes of UTF-8. The change can be undone. */
  apply(edits: Edit[]): void {
    const text = this.text;
    const changes = edits.map((e) => ({ from: place(text, e.start), to: place(text, e.end), insert: e.new }));
    this.view.dispatch({ changes, userEvent: "input.fix" });
    this.view.focus();
  }

  /** Highlights a line and scrolls to it; 0 highlights none. */
  highlight(line: number): void {
    const effects: StateEffect<unknown>[] = [highlight.of(line)];
    if (line >= 1 && line <= this.view.state.doc.lines) {
      effects.push(EditorView.scrollIntoView(this.view.state.doc.line(line).from, { y: "nearest", yMargin: 40 }));
    }
    this.view.dispatch({ effects });
  }

  /** Puts the cursor into a line. */
  go(line: number, column = 1): void {
    const at = this.view.state.doc.line(Math.min(Math.max(line, 1), this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: at.from + new Columns(at.text, line === 1).of(column) }, scrollIntoView: true });
    this.view.focus();
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
  private hover(view: EditorView, at: number) {
    const known = this.known;
    const line = view.state.doc.lineAt(at);
    const parts = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line.text);
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
    return { pos: line.from, end: line.to, above: true, create: () => ({ dom: h("div", {}, ...texts.filter(Boolean).map((s) => h("div", {}, s))) }) };
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

// Columns finds places in a line by columns, which count bytes of UTF-8, starting at 1.
class Columns {
  private readonly text: string;
  private readonly skipped: number;

  // A byte order mark before the first line is not in a column.
  constructor(line: string, first: boolean) {
    this.skipped = first && line.startsWith("\uFEFF") ? 1 : 0;
    this.text = line.slice(this.skipped);
  }
  of(column: number): number {
    return this.skipped + place(this.text, column - 1);
  }
}

// place returns the place in a text of a number of bytes in UTF-8.
function place(text: string, bytes: number): number {
  let at = 0;
  for (let size = 0; at < text.length && size < bytes; ) {
    const code = text.codePointAt(at) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  return at;
}
