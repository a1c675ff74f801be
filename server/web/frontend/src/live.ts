// What the views about a running program share: they ask its server every few seconds while they are on the screen, and change
// only what has changed.

import { ask, Malformed, Refused, type Shape } from "./answers";
import { type Child, h } from "./dom";
import { t } from "./messages";

const every = 4_000; // milliseconds from an answer to the next question
const patience = 15_000; // milliseconds for an answer
const maxAnswer = 4 << 20; // bytes of an answer

/** Returns the path of a service of the page's server, or null if the server has none. */
export function serviceOf(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null;
}

/** Asks the program behind the page. Now is its time in milliseconds: the clocks of the two machines may differ. */
export async function asked<T>(url: string, shape: Shape<T>, signal?: AbortSignal): Promise<{ value: T; now: number }> {
  const limit = AbortSignal.timeout(patience);
  const { value, response } = await ask(url, shape, maxAnswer, signal ? AbortSignal.any([signal, limit]) : limit);
  const now = Date.parse(response.headers.get("date") ?? "");
  return { value, now: Number.isNaN(now) ? Date.now() : now };
}

/** Returns what a person is told of a question that failed. */
export function saidOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return error instanceof Malformed ? t("The server's answer cannot be read.") : t("The server does not answer.");
}

/** Says that questions fail, and since when the view shows old answers. */
export class Offline {
  readonly element = h("div", { role: "status" });
  private readonly failures = new Map<string, unknown>();
  private last = 0; // the server's time of the last answer

  constructor(private readonly times: Times) {}

  answered(question: string, now: number): void {
    this.last = now;
    this.failures.delete(question);
    this.draw();
  }

  failed(question: string, error: unknown): void {
    this.failures.set(question, error);
    this.draw();
  }

  private draw(): void {
    const [error] = this.failures.values();
    const since = this.last > 0 ? [" ", t("This is what it said"), " ", this.times.at(new Date(this.last).toISOString()), "."] : [];
    morph(this.element, this.failures.size > 0 && h("p", { class: "warning offline" }, h("span", {}, saidOf(error), ...since)));
  }
}

/** What a view does with answers. */
export interface Watcher<T> {
  readonly shape: Shape<T>;
  /** Returns the address to ask, or null to ask nothing now. */
  url(): string | null;
  /** Shows an answer. Now is the server's time in milliseconds. */
  show(value: T, now: number): void;
  /** Shows that the last question has failed. */
  failed(error: unknown): void;
}

/** Asks again and again while an element is in the document and the page is visible. Returns a function that asks at once. */
export function poll<T>(element: HTMLElement, watcher: Watcher<T>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | null = null;
  const run = async () => {
    clearTimeout(timer);
    asking?.abort();
    asking = null;
    if (!element.isConnected) {
      document.removeEventListener("visibilitychange", visible);
      return;
    }
    const url = watcher.url();
    if (document.hidden || url === null) return; // until it is visible, or the caller asks again
    const mine = new AbortController();
    asking = mine;
    try {
      const { value, now } = await asked(url, watcher.shape, mine.signal);
      if (asking === mine && element.isConnected) watcher.show(value, now);
    } catch (error) {
      if (asking === mine && element.isConnected) watcher.failed(error);
    }
    if (asking === mine) timer = setTimeout(() => void run(), every);
  };
  const visible = () => {
    if (!document.hidden) void run();
  };
  document.addEventListener("visibilitychange", visible);
  setTimeout(() => void run()); // when the element is in the document
  return () => void run();
}

/** Makes the children of an element like new ones, and leaves what is the same: focus, scroll and open details stay. Elements
 * with the same data-key are the same. Listeners of the new elements are lost where an old one stays: listen on the element. */
export function morph(element: Element, ...children: Child[]): void {
  const focused = document.activeElement;
  sync(element, h("div", {}, ...children));
  if (focused instanceof HTMLElement && focused !== document.activeElement && element.contains(focused)) focused.focus({ preventScroll: true }); // it was moved
}

function sync(old: Element, fresh: Element): void {
  const keyed = new Map<string, ChildNode>();
  for (const node of old.childNodes) {
    const key = keyOf(node);
    if (key !== null) keyed.set(key, node);
  }
  let at = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const key = keyOf(node);
    const same = key !== null ? (keyed.get(key) ?? null) : at && keyOf(at) === null ? at : null;
    if (!same || same.nodeName !== node.nodeName) {
      old.insertBefore(node, at);
      continue;
    }
    if (same === at) at = at.nextSibling;
    else old.insertBefore(same, at);
    if (same instanceof Element && node instanceof Element) {
      attributes(same, node);
      sync(same, node);
    } else if (same.nodeValue !== node.nodeValue) {
      same.nodeValue = node.nodeValue;
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function keyOf(node: Node): string | null {
  return node instanceof HTMLElement ? (node.dataset["key"] ?? null) : null;
}

function attributes(old: Element, fresh: Element): void {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
}

/** Writes times as people read them, in a language. */
export class Times {
  private readonly relative: Intl.RelativeTimeFormat;
  private readonly day: Intl.DateTimeFormat;
  private readonly full: Intl.DateTimeFormat;

  constructor(language: string) {
    this.relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    this.day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    this.full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" });
  }

  /** Returns a time beside now: in 3 minutes, 2 hours ago. */
  near(time: string, now: number): HTMLElement {
    const seconds = (Date.parse(time) - now) / 1000;
    const size = Math.abs(seconds);
    const [unit, length]: [Intl.RelativeTimeFormatUnit, number] = size < 90 ? ["second", 1] : size < 90 * 60 ? ["minute", 60] : size < 36 * 3600 ? ["hour", 3600] : ["day", 86400];
    return this.element(time, this.relative.format(Math.round(seconds / length), unit));
  }

  /** Returns a day and a time. */
  at(time: string): HTMLElement {
    return this.element(time, this.day.format(new Date(time)));
  }

  private element(time: string, text: string): HTMLElement {
    return h("time", { datetime: time, title: this.full.format(new Date(time)) }, text);
  }
}
