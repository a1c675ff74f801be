// The page's elements are made here. A string becomes text or the value of an attribute, and never HTML.

export type Child = Node | string | number | null | undefined | false;

type Listener = (event: never) => void;

/** The attributes of an element. A function listens to the event of its name: click, input, keydown. */
export type Attributes = { [name: string]: string | number | boolean | null | undefined | Listener };

/** Returns an HTML element with attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** Returns an SVG element with attributes and children. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// forbidden are attributes whose value can be code. Listeners are functions and no attributes.
const forbidden = /^(?:on.*|style|srcdoc|src|action|formaction)$/i;

// safeLink has the addresses to which the page may link.
const safeLink = /^(?:https?:\/\/|#|blob:)/i;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name, value as EventListener);
      continue;
    }
    if (forbidden.test(name) || (name === "href" && !safeLink.test(String(value)))) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Replaces the children of an element. If one of them had the focus and is gone, the element has it: the focus would be at the start of the page. */
export function replace(element: Element, ...children: Child[]): void {
  const focused = document.activeElement;
  const inside = focused !== element && element.contains(focused);
  element.replaceChildren();
  fill(element, {}, children);
  if (!inside || !(element instanceof HTMLElement) || !element.isConnected || element.contains(document.activeElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

let names = 0;

/** Returns an id that no other element has. */
export function unique(): string {
  names++;
  return `n${names}`;
}

/** Returns a labelled field, with a hint under it. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  const id = unique();
  control.id = id;
  const children: Child[] = [h("label", { for: id }, label), control];
  if (hint) {
    control.setAttribute("aria-describedby", `${id}h`);
    children.push(h("p", { class: "hint", id: `${id}h` }, hint));
  }
  return h("div", { class: "field" }, ...children);
}

/** Offers a file for saving. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
