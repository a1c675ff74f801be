// The state of the page is in the fragment of its address, which browsers send to nobody: "1." and
// the state as JSON, compressed with DEFLATE, in base64url. The number is that of the form: stored
// links are read for ever, so that another form gets another number.

export const views = ["report", "test", "see", "lookup", "compare", "page", "prove", "build", "audit", "watch", "crawl"] as const;
export type View = (typeof views)[number];

export interface State {
  view: View;
  /** The text of robots.txt. */
  text: string;
  /** The other version, for Compare. */
  after: string;
  /** Addresses, one a line. */
  addresses: string;
  /** Names of robots with commas between them; empty for all known robots. */
  robots: string;
  /** A name, a header or an address, for Look up. */
  query: string;
  /** An address of the internet, for Look up. */
  address: string;
  /** The URL, the headers and the HTML of a page. */
  url: string;
  headers: string;
  html: string;
  /** Claims, one a line. */
  claims: string;
  /** Purposes that Build blocks, with commas between them. */
  blocked: string;
  /** Robots that Build leaves open all the same, with commas between them. */
  spared: string;
  /** Paths that Build closes for all, one a line. */
  closed: string;
  /** The format of access logs, for Audit; empty if it is to be found. */
  logformat: string;
  /** The host of access logs whose robots.txt the text is; empty if the logs have one host. */
  loghost: string;
  /** "shown" if the report of Audit has whole addresses. */
  logaddresses: string;
  /** A part of the addresses of the sites that Watch shows. */
  sites: string;
  /** The words that Crawl searches for. */
  search: string;
  /** The origin of the host that Crawl shows in full. */
  host: string;
}

export const example: State = {
  view: "report",
  text: `# An example: write or paste your robots.txt here.
User-agent: *
Disallow: /search
Disallow: /cart/
Allow: /search/help
Disalow: /tmp/

User-agent: GPTBot
User-agent: CCBot
Disallow: /

Sitemap: https://shop.example.com/sitemap.xml
`,
  after: "",
  addresses: "/\n/products/shoes\n/search?q=shoes\n/search/help\n/cart/checkout",
  robots: "",
  query: "GPTBot",
  address: "",
  url: "https://shop.example.com/",
  headers: "X-Robots-Tag: googlebot: nosnippet",
  html: '<!doctype html>\n<title>Shop</title>\n<meta name="robots" content="noindex, follow">\n<p>Welcome.',
  claims: "GPTBot may not fetch /\n/cart/ is closed to all\nGooglebot may fetch /search\nsearch may fetch /products/",
  blocked: "",
  spared: "",
  closed: "",
  logformat: "",
  loghost: "",
  logaddresses: "",
  sites: "",
  search: "",
  host: "",
};
example.after = example.text.replace("Disalow", "Disallow").replace("Disallow: /cart/\n", "");

/** Writes the comment of the example, in the language in which the page begins. */
export function commentExample(comment: string): void {
  const [, ...lines] = example.text.split("\n");
  example.text = [`# ${comment}`, ...lines].join("\n");
  example.after = example.text.replace("Disalow", "Disallow").replace("Disallow: /cart/\n", "");
}

const empty: State = { view: "test", text: "", after: "", addresses: "", robots: "", query: "", address: "", url: "", headers: "", html: "", claims: "", blocked: "", spared: "", closed: "", logformat: "", loghost: "", logaddresses: "", sites: "", search: "", host: "" };

const form = "1.";
const maxFragment = 1 << 20; // characters of a fragment that is read or written
const maxJSON = 4 << 20; // bytes of the state that it unfolds to

/** The state is too long for a link. */
export class TooLong extends Error {}

// isExample reports whether a state is the example, in any view.
function isExample(state: State): boolean {
  return Object.entries(state).every(([key, value]) => key === "view" || value === example[key as keyof State]);
}

/** Returns the fragment of a state, without "#": the name of its view alone, if it is the example. */
export async function encode(state: State): Promise<string> {
  if (isExample(state)) return state.view;
  const written: Record<string, string> = {};
  for (const [key, value] of Object.entries(state)) {
    if (value !== "") written[key] = value;
  }
  const packed = await through(new TextEncoder().encode(JSON.stringify(written)), new CompressionStream("deflate-raw"), maxFragment);
  const fragment = form + base64url(packed);
  if (fragment.length > maxFragment) throw new TooLong();
  return fragment;
}

/** Returns the view that a fragment names, such as "build". */
export function viewOf(fragment: unknown): View | undefined {
  return views.find((v) => v === fragment);
}

/** Returns the state of a fragment. An empty fragment is the example, and the name of a view is the example in that view. All others that encode
 * did not write are errors. */
export async function decode(fragment: string): Promise<State> {
  const view = viewOf(fragment);
  if (fragment === "" || view) return { ...example, view: view ?? example.view };
  if (fragment.length > maxFragment) throw new Error("the fragment is too long");
  if (!fragment.startsWith(form)) throw new Error("the fragment has another form");
  const bytes = await through(bytesOf(fragment.slice(form.length)), new DecompressionStream("deflate-raw"), maxJSON);
  return stateOf(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
}

// stateOf returns the state that a value of JSON is.
function stateOf(read: unknown): State {
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw new Error("the fragment holds no object");
  const state: State = { ...empty };
  for (const [key, value] of Object.entries(read)) {
    if (!Object.hasOwn(example, key) || typeof value !== "string") throw new Error("the fragment has an unknown member");
    if (key === "view") {
      const view = views.find((v) => v === value);
      if (!view) throw new Error("the fragment has an unknown view");
      state.view = view;
    } else {
      state[key as Exclude<keyof State, "view">] = value;
    }
  }
  return state;
}

const kept = "robots-state";

/** Keeps a state for a reload of an address. Returns false if the browser does not keep it. */
export function store(fragment: string, state: State): boolean {
  try {
    sessionStorage.setItem(kept, JSON.stringify({ fragment, state }));
    return true;
  } catch {
    return false;
  }
}

/** Returns the state that was kept for an address, or null. */
export function stored(fragment: string): State | null {
  try {
    const read = JSON.parse(sessionStorage.getItem(kept) ?? "null");
    return read?.fragment === fragment ? stateOf(read.state) : null;
  } catch {
    return null;
  }
}

// through returns what a stream makes of bytes. It stops at a limit: a few bytes can unfold to gigabytes.
async function through(input: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, limit: number): Promise<Uint8Array> {
  const reader = new Blob([input]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new TooLong();
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("the fragment is not base64url");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}
