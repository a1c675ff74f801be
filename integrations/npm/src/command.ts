#!/usr/bin/env node
// The command: npx @robotsexclusion/robots lint|match|report FILE|ORIGIN. The engine has the verbs, and this file gives them what they need of the
// machine: files, and answers of servers.

import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { lookup } from 'node:dns';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { Engine } from './engine.js';

interface Need {
  readonly id: number;
  readonly read?: { readonly name: string; readonly limit: number };
  readonly get?: { readonly url: string; readonly header: Record<string, string>; readonly private: boolean };
  readonly done?: { readonly status: number; readonly out: string; readonly err: string };
}

/** What a verb gets: the content of a file, the answer of a server, or the code of an error. */
interface Got {
  body?: string;
  status?: number;
  header?: [string, string][];
  code?: string;
  message?: string;
  address?: string;
}

const mostBody = (8 << 20) + 1; // bytes: the verbs read 8 MiB, and see that there is more
const patience = 20_000; // milliseconds without a byte of an answer
const beside = (name: string) => new URL(name, import.meta.url);

const { env, stdout } = process;
const args = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(beside('../package.json'), 'utf8')) as { version: string };
const engine = await Engine.start(await WebAssembly.compile(readFileSync(beside('./verbs.wasm'))));

let need = engine.ask<Need>('command', {
  args,
  files: args.filter((name) => statSync(name, { throwIfNoEntry: false }) !== undefined),
  language: env['LANGUAGE'] || env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '',
  color: colored(),
  user_agent: `robots/${version} (+https://github.com/robotsexclusion/robots)`,
  version,
});
while (need.done === undefined) {
  const got = need.read !== undefined ? read(need.read.name, need.read.limit) : await get(need.get!);
  need = engine.ask<Need>('step', { id: need.id, ...got });
}
const { status, out, err } = need.done;
write(2, err);
process.exitCode = write(1, out) ? status : 2;

/** Whether the output has colours: https://no-color.org, and CLICOLOR. */
function colored(): boolean {
  const force = env['CLICOLOR_FORCE'];
  if (env['NO_COLOR']) {
    return false;
  }
  return (force !== undefined && force !== '' && force !== '0') || (env['CLICOLOR'] !== '0' && stdout.isTTY === true && env['TERM'] !== 'dumb');
}

/** Writes a text, and reports whether all of it could be written. A reader that has gone away, such as head, has what it wants. */
function write(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); // a pipe that is full
        continue;
      }
      if (code !== 'EPIPE') {
        process.stderr.write(`robots: cannot write the answer: ${(error as Error).message}\n`);
      }
      return false;
    }
  }
  return true;
}

/** Reads a file, or standard input: one byte more than a limit at most. */
function read(name: string, limit: number): Got {
  let file = 0;
  try {
    file = name === '-' ? 0 : openSync(name, 'r');
    if (name !== '-' && fstatSync(file).isDirectory()) {
      return { code: 'EISDIR' };
    }
    const chunks: Buffer[] = [];
    for (let size = 0; size <= limit; ) {
      const chunk = Buffer.alloc(Math.min(1 << 16, limit + 1 - size));
      let n: number;
      try {
        n = readSync(file, chunk);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'EAGAIN') {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); // a terminal, or a pipe without anything yet
          continue;
        }
        if (code === 'EOF') {
          break; // a pipe of Windows that ends
        }
        throw error;
      }
      if (n === 0) {
        break;
      }
      chunks.push(chunk.subarray(0, n));
      size += n;
    }
    return { body: Buffer.concat(chunks).toString('base64') };
  } catch (error) {
    return codeOf(error);
  } finally {
    if (file > 0) {
      closeSync(file);
    }
  }
}

function codeOf(error: unknown): Got {
  const { code, message, cause, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (cause !== undefined) {
    return { code: 'private', address: String(cause) };
  }
  if (code === 'ECONNREFUSED' && address !== undefined) {
    return { code, message, address: `${isIP(address) === 6 ? `[${address}]` : address}:${port}` };
  }
  return { code: code || 'failed', message: message || String(code) };
}

/** Reports whether the verbs may ask a server at an address. */
function isPublic(address: string): boolean {
  return engine.ask<{ public: boolean }>('public', { address }).public;
}

/** The error for an address that is not one of the Internet. */
function refused(address: string): NodeJS.ErrnoException {
  return new Error('the address is private', { cause: address });
}

/** Asks a server, and follows no redirect. */
function get({ url, header, private: mayBePrivate }: NonNullable<Need['get']>): Promise<Got> {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayBePrivate && !isPublic(host)) {
    return Promise.resolve({ code: 'private', address: host });
  }
  // The connection goes to an address that was looked at.
  const find: LookupFunction = (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, all) => {
      const found = error ? [] : all.filter(({ address }) => mayBePrivate || isPublic(address));
      if (error || found.length === 0) {
        done(error ?? refused(all[0]?.address ?? ''), options.all ? [] : '', 0);
      } else if (options.all) {
        done(null, found);
      } else {
        done(null, found[0]!.address, found[0]!.family);
      }
    });
  };
  return new Promise((resolve) => {
    const request = (protocol === 'https:' ? requestSecure : requestPlain)(url, {
      headers: header,
      lookup: find,
      timeout: patience,
      agent: false,
    });
    request.on('timeout', () => request.destroy(new Error(`no answer in ${patience / 1000} seconds`)));
    request.on('error', (error) => resolve(codeOf(error)));
    request.on('response', (response) => body(response, resolve, () => request.destroy()));
    request.end();
  });
}

/** Reads the body of an answer, or the beginning that matters. */
function body(response: IncomingMessage, resolve: (got: Got) => void, stop: () => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = () => {
    const names = response.rawHeaders.filter((_, i) => i % 2 === 0);
    const header = names.map((name, i): [string, string] => [name, response.rawHeaders[2 * i + 1]!]);
    resolve({ status: response.statusCode!, header, body: Buffer.concat(chunks).toString('base64') });
  };
  response.on('data', (chunk: Buffer) => {
    const rest = mostBody - size;
    chunks.push(chunk.subarray(0, rest));
    size += Math.min(chunk.length, rest);
    if (size === mostBody) {
      finish();
      stop();
    }
  });
  response.on('end', finish);
  response.on('error', (error) => resolve(codeOf(error)));
  response.on('aborted', () => resolve({ code: 'ECONNRESET', message: 'the server ended the answer in the middle' }));
}
