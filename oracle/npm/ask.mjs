#!/usr/bin/env node
// Answers questions of the ask protocol with the npm package robots-parser: one
// question a line on standard input, one answer a line on standard output, each
// a JSON object. The package has no dialects.

import { once } from 'node:events';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// Client answers lines. It keeps the text of the line before, and the parser
// that was made of a text for an origin.
class Client {
  #robotsParser;
  #text = null; // null if there is none
  #parser = null;
  #parsed = {}; // the text and the origin that the parser was made of

  constructor(robotsParser) {
    this.#robotsParser = robotsParser;
  }

  // reply returns the answer to one line, an object for JSON.
  reply(line) {
    const reply = {};
    try {
      const { agent, url } = this.#read(line, reply);
      Object.assign(reply, this.#ask(agent, url));
    } catch (err) {
      reply.error = err instanceof Unanswerable ? err.message : String(err);
    }
    return reply;
  }

  // #ask asks the library. It answers only for URLs of the origin that the
  // robots.txt was found at, so that is the origin of the URL asked for.
  #ask(agent, url) {
    if (/^[/?]/.test(url)) {
      url = 'http://example.com' + url;
    }
    const origin = originOf(url);
    if (this.#parsed.text !== this.#text || this.#parsed.origin !== origin) {
      this.#parser = this.#robotsParser(origin + '/robots.txt', this.#text);
      this.#parsed = { text: this.#text, origin };
    }
    const allowed = this.#parser.isAllowed(url, agent);
    if (allowed === undefined) {
      throw new Unanswerable('not covered');
    }
    const line = this.#parser.getMatchingLineNumber(url, agent);
    return line > 0 ? { allowed, line } : { allowed };
  }

  // #read reads a question, and puts its id in the reply. Where it cannot tell
  // the text of the line, it forgets that of the line before: a line that
  // leaves its text out must not be answered by the text of another.
  #read(line, reply) {
    const before = this.#text;
    this.#text = null;
    let fields;
    try {
      fields = JSON.parse(line);
    } catch (err) {
      throw new Unanswerable(`the line is not a question: ${err.message}`);
    }
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      throw new Unanswerable('the line is not a question: it is no JSON object');
    }
    if (fields.id !== undefined) {
      reply.id = fields.id;
    }
    for (const name of ['robots', 'robots_base64', 'agent', 'url']) {
      if (fields[name] != null && typeof fields[name] !== 'string') {
        throw new Unanswerable(`the line is not a question: "${name}" is no string`);
      }
    }
    if (fields.robots != null && fields.robots_base64 != null) {
      throw new Unanswerable('the line has both "robots" and "robots_base64"');
    }
    this.#text = fields.robots_base64 != null ? decode(fields.robots_base64) : fields.robots ?? before;
    if (this.#text === null) {
      throw new Unanswerable('the line has no "robots", and the line before has none to go by');
    }
    if (fields.url == null) {
      throw new Unanswerable('the line has no "url"');
    }
    return { agent: fields.agent ?? '*', url: fields.url };
  }
}

// Unanswerable says what is wrong with a line.
class Unanswerable extends Error {}

// originOf returns the origin of an absolute URL, also of those schemes for
// which the URL class knows none.
function originOf(url) {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    throw new Unanswerable('not covered');
  }
}

// decode returns the text of base64. What is not UTF-8 in it becomes U+FFFD, as
// it does where a robot takes the text of an HTTP response; a byte order mark is
// left for the library to deal with.
function decode(base64) {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new Unanswerable('"robots_base64" cannot be read');
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
}

// lines yields, for each piece of input, the lines that it completes. (The
// readline module also ends lines at U+2028, which may stand in JSON.)
async function* lines(input) {
  let parts = []; // of the line that has not ended
  for await (const chunk of input) {
    const complete = [];
    let start = 0;
    for (let end; (end = chunk.indexOf('\n', start)) >= 0; start = end + 1) {
      complete.push(Buffer.concat([...parts, chunk.subarray(start, end)]).toString());
      parts = [];
    }
    parts.push(chunk.subarray(start));
    yield complete;
  }
  const last = Buffer.concat(parts);
  if (last.length > 0) {
    yield [last.toString()];
  }
}

async function main(args) {
  let robotsParser, version;
  try {
    robotsParser = require('robots-parser');
    version = require('robots-parser/package.json').version;
  } catch (err) {
    console.error(`robots-parser cannot be loaded: ${err.code}; run "npm ci" in the folder of ask.mjs`);
    return 2;
  }
  if (args.length === 1 && args[0] === '--version') {
    console.log(`robots-parser ${version} (Node ${process.version})`);
    return 0;
  }
  if (args.length > 0) {
    console.error(`${args[0]}: unexpected argument; questions come on standard input, and --version is the only flag`);
    return 2;
  }
  process.stdout.on('error', () => process.exit(2)); // nobody reads the answers any more
  const client = new Client(robotsParser);
  for await (const complete of lines(process.stdin)) {
    const answers = complete.map((line) => JSON.stringify(client.reply(line)) + '\n').join('');
    if (!process.stdout.write(answers)) {
      await once(process.stdout, 'drain');
    }
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
