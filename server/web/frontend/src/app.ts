import type { Editor } from "./editor";
import type { Engine, Known } from "./engine";
import { type Language, t } from "./messages";
import type { Site } from "./service";
import type { State, View as ViewName } from "./state";

/** The page, as its views see it. */
export interface App {
  readonly state: State;
  readonly engine: Engine;
  readonly editor: Editor;
  readonly language: Language;
  /** The path of the service behind the page, or null. */
  readonly service: string | null;
  /** Where the text is from, such as an origin, or "". */
  readonly source: string;
  /** The site whose robots.txt was fetched last, if the editor has what was there then. */
  readonly site: Site | null;
  /** The known robots, once the engine is loaded. */
  known: Known | null;
  /** Says a result to people who listen to the page. */
  say(text: string): void;
  /** Shows a message until it is closed. */
  warn(text: string): void;
  /** Puts a text into the editor, and says where it is from. */
  put(text: string, source: string): void;
  /** Takes a site whose robots.txt was fetched. */
  got(site: Site): void;
  /** Saves a text as robots.txt, with the bytes and the ends of lines of the file that was opened. */
  save(text: string): void;
  /** Shows another view, with some members of the state. */
  go(view: ViewName, set?: Partial<State>): void;
  /** Keeps the state in the address. */
  keep(): void;
  /** Shows the state after a view has changed the text. */
  show(): void;
}

/** A view is one tab of the page. */
export interface View {
  readonly element: HTMLElement;
  /** Whether the editor of robots.txt is beside it. */
  readonly editor: boolean;
  /** Stands before the editor, over the whole width. */
  readonly above?: HTMLElement;
  /** Asks the engine again: the text or the robots have changed. */
  update(): void;
}

/** Returns a function that runs work for the newest call only: a call during the work waits, and replaces one that waits. */
export function newest(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      running = false;
    }
  };
  return () => void run();
}

/** Returns a function that calls another one after a pause without calls. */
export function later(pause: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, pause);
  };
}

/** Returns the lines of a field that are not empty. */
export function linesOf(text: string, most: number): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, most);
}

/** Returns an element's message for an error. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError && /fetch|network/i.test(error.message)) return t("The server does not answer."); // browsers say it in their own words
  return error instanceof Error ? error.message : String(error);
}
