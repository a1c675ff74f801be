// CodeMirror, set up for robots.txt. It is a file of its own, editor.js, which is most of the page's code: the page loads it after its first
// picture, and Editor shows a plain field until then.

import { autocompletion, type CompletionContext, type CompletionResult, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Mark, linter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { Columns, place } from "./columns";
import type { Diagnostic, Edit } from "./engine";

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
  "&.cm-focused": { outline: "none" }, // the gutter would hide a part of it: the element around the editor has one
  ".cm-specialChar": { color: "var(--closed)", fontWeight: "600" },
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

/** What the editor asks of the page. */
export interface Page {
  changed(text: string): void;
  complete(context: CompletionContext): CompletionResult | null;
  /** Returns what is to say about a line, or null. */
  hover(line: string): HTMLElement | null;
}

/** An editor in a shadow root, where CodeMirror uses constructed style sheets, which the page's Content-Security-Policy allows; elsewhere it would add inline styles. */
export class Code {
  private readonly view: EditorView;
  private readonly label = new Compartment();
  private readonly later: Extension[];

  /** The editor is whole after finish: the first one is slow to make, and the page is heard between its pieces. */
  constructor(root: ShadowRoot, parent: HTMLElement, text: string, label: string, page: Page, writable: boolean) {
    const extensions: Extension[] = [
      lineNumbers(),
      history(),
      look,
      highlighted,
      EditorView.lineWrapping,
      keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      this.label.of(named(label)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) page.changed(update.state.doc.toString());
      }),
    ];
    if (!writable) extensions.push(EditorState.readOnly.of(true));
    this.later = [
      [robotsText, syntaxHighlighting(colours)],
      [highlightActiveLine(), drawSelection(), bracketMatching(), highlightSpecialChars()], // such as one that turns the direction of the text
      autocompletion({ override: [(context) => page.complete(context)], icons: false }),
      hoverTooltip((view, at) => {
        const line = view.state.doc.lineAt(at);
        const dom = page.hover(line.text);
        return dom && { pos: line.from, end: line.to, above: true, create: () => ({ dom }) };
      }),
      linter(null), // without it, the first findings would set the whole editor up again
    ];
    this.view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent, root });
  }

  /** Adds colours, completion and what else is not needed to write, with a pause before each. Without pauses, all is there at once. */
  async finish(pause?: () => Promise<void>): Promise<void> {
    for (const extension of this.later) {
      if (pause) await pause();
      this.view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
    }
  }

  name(label: string): void {
    this.view.dispatch({ effects: this.label.reconfigure(named(label)) });
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

  /** Selects from one place of the text to another. */
  select(anchor: number, head: number): void {
    this.view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
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
}

// named returns the attributes of an editor with a name.
function named(label: string): Extension {
  return EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" });
}
