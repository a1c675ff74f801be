// Answers of the server behind the page. They are read up to a limit, and have the form that a view expects before it sees them: the server
// may be another program at the same address, or tell what strangers wrote.

/** The server has answered, and refuses. */
export class Refused extends Error {}

/** The answer is no JSON of the expected form, or too long. */
export class Malformed extends Error {}

const maxText = 1 << 16; // characters of a text, unless its shape says otherwise

/** Returns a value of JSON in its form, or throws Malformed. */
export type Shape<T> = (value: unknown) => T;

/** The type of the values of a shape. */
export type Of<S> = S extends Shape<infer T> ? T : never;

function demand(ok: boolean, value: unknown): asserts ok {
  if (!ok) throw new Malformed(typeof value);
}

/** A text of any length. */
export const long: Shape<string> = (value) => {
  demand(typeof value === "string", value);
  return value;
};

/** A text, which is cut if it is long. */
export const text: Shape<string> = (value) => {
  const all = long(value);
  return all.length > maxText ? `${all.slice(0, maxText)}…` : all;
};

/** A word of the server, such as a state. It can be in the class of an element. */
export const word: Shape<string> = (value) => {
  demand(typeof value === "string" && /^[\w-]{1,64}$/.test(value), value);
  return value;
};

export const count: Shape<number> = (value) => {
  demand(typeof value === "number", value);
  return value;
};

export const flag: Shape<boolean> = (value) => {
  demand(typeof value === "boolean", value);
  return value;
};

/** A time that can be shown. */
export const time: Shape<string> = (value) => {
  demand(typeof value === "string" && value.length < 64 && !Number.isNaN(Date.parse(value)), value);
  return value;
};

/** A value that may be missing. */
export function maybe<T>(of: Shape<T>): Shape<T | undefined> {
  return (value) => (value === undefined || value === null ? undefined : of(value));
}

/** A list of at most a number of values. It may be missing: an empty list of Go is null. */
export function list<T>(of: Shape<T>, most = 1000): Shape<T[]> {
  return (value) => {
    if (value === undefined || value === null) return [];
    demand(Array.isArray(value) && value.length <= most, value);
    return value.map(of);
  };
}

/** Values by their names, which are any texts. */
export function table<T>(of: Shape<T>, most = 1000): Shape<Map<string, T>> {
  return (value) => {
    if (value === undefined || value === null) return new Map();
    demand(typeof value === "object" && !Array.isArray(value), value);
    const entries = Object.entries(value);
    demand(entries.length <= most, value);
    return new Map(entries.map(([name, v]) => [name, of(v)]));
  };
}

/** An object with members. All others are left out. */
export function object<S extends Record<string, Shape<unknown>>>(members: S): Shape<{ [K in keyof S]: Of<S[K]> }> {
  return (value) => {
    demand(typeof value === "object" && value !== null && !Array.isArray(value), value);
    return Object.fromEntries(Object.entries(members).map(([name, of]) => [name, of(Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined)])) as { [K in keyof S]: Of<S[K]> };
  };
}

const problem = object({ title: maybe(text), detail: maybe(text), type: maybe(text) });

/** Asks a server for JSON of a shape, with an answer of at most a number of bytes. Known has messages for types of problems. */
export async function ask<T>(url: string, shape: Shape<T>, most: number, signal: AbortSignal, known: (type: string) => string | null = () => null): Promise<{ value: T; response: Response }> {
  const response = await fetch(url, { cache: "no-cache", credentials: "same-origin", referrerPolicy: "no-referrer", signal });
  const json = await read(response, most);
  if (response.ok) return { value: shape(parse(json)), response };
  let said = "";
  try {
    const { title, detail, type } = problem(parse(json));
    said = known(type ?? "") ?? [title, detail].filter(Boolean).join(": ");
  } catch {
    // A proxy before the server says what it has to say in HTML.
  }
  throw new Refused(said || `HTTP ${response.status}`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Malformed("no JSON");
  }
}

// read returns the text of an answer, and stops at a limit: an answer may have no end.
async function read(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let all = "";
  let size = 0;
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return all + decoder.decode();
    size += part.value.length;
    if (size > most) {
      await reader?.cancel();
      throw new Malformed("too long");
    }
    all += decoder.decode(part.value, { stream: true });
  }
}
