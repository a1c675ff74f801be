// How lists cross to the engine: cmd/internal/wasm/engine/wire.go says how it reads them.

import type { Engine } from './engine.js';
import { RobotsError } from './errors.js';
import { partsOf, text, type Robot } from './policy.js';

const encoder = new TextEncoder();

/** Gives robots as the input, and returns its size in bytes. */
export function robotsInput(engine: Engine, robots: readonly Robot[]): number {
  const heads: number[] = [robots.length];
  const tokens: Uint8Array[] = [];
  for (const robot of robots) {
    const { tokens: names, alone } = partsOf(robot);
    if (!Array.isArray(names)) {
      throw new RobotsError('bad-value', 'a robot is neither a product token nor a list of them');
    }
    heads.push(4 * names.length + (alone === undefined ? 0 : alone ? 1 : 2));
    names.forEach((name) => tokens.push(encoder.encode(text(name, 'a product token'))));
  }
  return put(engine, [...heads, ...tokens.map((token) => token.length)], tokens);
}

/** Gives numbers of robots and some URLs as the input, and returns its size in bytes. */
export function urlsInput(engine: Engine, numbers: readonly number[], urls: readonly string[], start: number, end: number): number {
  const heads = new Uint32Array(2 + numbers.length + end - start);
  heads.set([numbers.length, ...numbers, end - start]);
  const sizes = heads.subarray(2 + numbers.length);
  // One call encodes all URLs. If each unit of UTF-16 became one byte, all of them are ASCII, and their lengths are their sizes.
  const joined = urls.slice(start, end).join('');
  const room = engine.room(heads.byteLength + 3 * joined.length);
  const bytes = room.subarray(heads.byteLength);
  let { written } = encoder.encodeInto(joined, bytes);
  if (written === joined.length) {
    for (let i = start; i < end; i++) {
      sizes[i - start] = urls[i]!.length;
    }
  } else {
    // Halves of a surrogate pair in two URLs are none, so each URL is encoded for itself.
    written = 0;
    for (let i = start; i < end; i++) {
      const size = encoder.encodeInto(urls[i]!, bytes.subarray(written)).written;
      sizes[i - start] = size;
      written += size;
    }
  }
  room.set(new Uint8Array(heads.buffer));
  return heads.byteLength + written;
}

function put(engine: Engine, heads: number[], texts: Uint8Array[]): number {
  const numbers = Uint32Array.from(heads);
  const size = texts.reduce((sum, text) => sum + text.length, numbers.byteLength);
  const room = engine.room(size);
  room.set(new Uint8Array(numbers.buffer));
  let at = numbers.byteLength;
  for (const text of texts) {
    room.set(text, at);
    at += text.length;
  }
  return size;
}
