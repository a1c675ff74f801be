import { RobotsError, type Code } from './errors.js';
import { Ended, Wasi } from './wasi.js';

/** What the Go side exports: cmd/internal/wasm/border says what each function does. */
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  input(size: number): number;
  answer(): number;
  about(): number;
  parse(size: number, dialect: number): number;
  fixed(unreachable: number): number;
  free(policy: number): number;
  kept(): number;
  robots(size: number, policy: number): number;
  forget(policy: number): number;
  match(size: number, policy: number, robot: number): number;
  match_all(size: number, policy: number): number;
  explain(size: number, policy: number, robot: number): number;
  facts(policy: number, robot: number): number;
  ask(size: number, nameSize: number): number;
  rest(): number;
}

type Numeric = { [K in keyof Exports]: Exports[K] extends (...args: number[]) => number ? K : never }[keyof Exports];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Inputs and answers of more bytes are not kept in the memory of the engine. */
const large = 1 << 20;

/** Returns functions for an engine to import. They get the memory of the engine, which moves when it grows, by a function. */
export type Host = (memory: () => Uint8Array) => Record<string, (...args: number[]) => number>;

/** What an engine says of itself. */
export interface About {
  dialects: string[];
  reasons: string[];
  questions: string[];
  max_text: number;
}

/** A module with its memory. It answers one call at a time. */
export class Engine {
  readonly about: About;
  readonly #exports: Exports;
  readonly #wasi: Wasi;
  readonly #answerAt: number;
  #memory: Uint8Array;
  #roomAt = 0; // the address of the memory for inputs
  #roomSize = 0;
  #ended: RobotsError | undefined;

  private constructor(instance: WebAssembly.Instance, wasi: Wasi) {
    this.#exports = instance.exports as unknown as Exports;
    this.#wasi = wasi;
    wasi.memory = this.#exports.memory;
    this.#exports._initialize();
    this.#memory = new Uint8Array(this.#exports.memory.buffer);
    this.#answerAt = this.#exports.answer() >>> 0;
    this.call('about');
    this.about = this.json() as About;
  }

  /** Starts an engine. A host has the functions that the engine imports beside those of WASI. */
  static async start(module: WebAssembly.Module, host: Host = () => ({})): Promise<Engine> {
    const wasi = new Wasi();
    const functions = host(() => new Uint8Array(wasi.memory!.buffer));
    return new Engine(await WebAssembly.instantiate(module, wasi.imports(module, functions)), wasi);
  }

  /** Starts an engine at once. On the main thread of a browser, use `start`. */
  static startNow(module: WebAssembly.Module): Engine {
    const wasi = new Wasi();
    return new Engine(new WebAssembly.Instance(module, wasi.imports(module)), wasi);
  }

  /** Calls a function that returns a number, or -1 and an error. */
  call(name: Numeric, ...args: number[]): number {
    if (this.#ended) {
      throw this.#ended;
    }
    let result: number;
    try {
      result = (this.#exports[name] as (...args: number[]) => number)(...args);
    } catch (cause) {
      // A program that has ended in the middle of its work answers nothing any more.
      const why = cause instanceof Ended ? this.#wasi.lastWords() || cause.message : String(cause);
      this.#ended = new RobotsError('fault', `the engine has ended: ${why}; load another one`, { cause });
      throw this.#ended;
    }
    if (result === -1) {
      const { code, message } = this.json() as { code: Code; message: string };
      throw new RobotsError(code, message);
    }
    return result;
  }

  /** The memory of the engine, which moves when it grows. */
  #bytes(): Uint8Array {
    if (this.#memory.buffer !== this.#exports.memory.buffer) {
      this.#memory = new Uint8Array(this.#exports.memory.buffer);
    }
    return this.#memory;
  }

  /** The size of the memory in bytes. */
  get memory(): number {
    return this.#bytes().length;
  }

  /** Makes room for an input of so many bytes, and returns the place. */
  room(size: number): Uint8Array {
    if (size > this.#roomSize) {
      const at = this.call('input', size) >>> 0;
      if (at === 0) {
        throw new RobotsError('too-large', `the input may have ${size} bytes, more than the engine takes at a time: ask about less`);
      }
      this.#roomAt = at;
      this.#roomSize = size;
    }
    return this.#bytes().subarray(this.#roomAt, this.#roomAt + size);
  }

  /** Gives bytes as the input, and returns their number. */
  put(bytes: Uint8Array): number {
    this.room(bytes.length).set(bytes);
    return bytes.length;
  }

  /** Gives a text as the input, and returns the number of its bytes. Half a surrogate pair becomes U+FFFD, as in URLs. */
  putText(text: string): number {
    return encoder.encodeInto(text, this.room(3 * text.length)).written;
  }

  /** The bytes of the last answer, which the next call overwrites. */
  answer(): Uint8Array {
    const bytes = this.#bytes();
    const view = new DataView(bytes.buffer, this.#answerAt, 8);
    const at = view.getUint32(0, true);
    return bytes.subarray(at, at + view.getUint32(4, true));
  }

  /** The last answer as a text. */
  text(): string {
    return decoder.decode(this.answer());
  }

  /** The last answer as JSON. */
  json(): unknown {
    return JSON.parse(this.text());
  }

  /** Returns memory after a large input or answer. */
  rest(size: number): void {
    if (size > large) {
      this.call('rest');
      this.#roomSize = 0;
    }
  }

  /** Answers a question in JSON. */
  ask<A>(name: string, question: object): A {
    const size = this.putText(name + JSON.stringify(question));
    this.call('ask', size, encoder.encode(name).length);
    const text = this.text();
    this.rest(size + text.length);
    return JSON.parse(text) as A;
  }
}
