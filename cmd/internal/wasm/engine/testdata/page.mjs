// Answers questions of the ask protocol as the web page does: with its engine in its worker, started as a browser starts it. With
// --matrix, the answer is that of the table of addresses and robots, which is in RFC 9309, and else that of the explanation.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { runInThisContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';

const file = (name) => readFileSync(new URL(`../../../../../server/web/static/${name}`, import.meta.url));
const matrix = process.argv.includes('--matrix');

let heard;
globalThis.postMessage = (message) => heard(message);
runInThisContext(file('worker.js').toString(), { filename: 'worker.js' });
globalThis.onmessage({ data: { module: new WebAssembly.Module(gunzipSync(file('engine.wasm.gz'))) } });

/** Asks the worker, as the page does. */
function ask(name, question, text) {
  return new Promise((resolve) => {
    heard = resolve;
    globalThis.onmessage({ data: { id: 1, name, question, texts: { policy: text } } });
  });
}

let text = '';
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, robots, robots_base64: packed, agent = '*', url, dialect } = JSON.parse(line);
  text = robots ?? (packed === undefined ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(packed, 'base64')));
  const { answer, error } = matrix ? await ask('page-matrix', { urls: [url], agents: [agent] }, text) : await ask('page-explain', { agent, url }, text);
  let reply = { id, error: error?.message };
  if (matrix && answer) {
    const verdict = answer.verdicts[0][0];
    reply = verdict < 0 ? { id, error: 'no URL' } : { id, allowed: (verdict & 1) === 1, line: verdict >> 4 };
  } else if (answer) {
    reply = { id, ...answer.dialects.find((d) => d.dialect === dialect).explanation.match };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
