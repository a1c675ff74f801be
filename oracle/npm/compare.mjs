#!/usr/bin/env node
// Compares the package for JavaScript with the npm package robots-parser, on real files: how often the answers differ, and the speed of both, in one
// run. The first argument is the folder of the corpus, the second the number of files (default 1000). Build the package first: "npm ci && npm run build" in
// the folder npm of the repository.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { load } from '../../integrations/npm/dist/core.node.js';

const robotsParser = createRequire(import.meta.url)('robots-parser');
const [corpus, wanted = '1000'] = process.argv.slice(2);
if (corpus === undefined) {
  console.error('usage: compare.mjs CORPUS [FILES]');
  process.exit(2);
}

const site = 'https://example.com';
const largest = 500 * 1024; // bytes of a file
const mostUrls = 20; // for each file

/** Reads some files of all sources, evenly. */
function readFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'robots-compare-'));
  try {
    const files = [];
    for (const { name } of readdirSync(join(corpus, 'robots'), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
      const archive = join(corpus, 'robots', name, 'files.tar.gz');
      if (existsSync(archive)) {
        mkdirSync(join(folder, name));
        execFileSync('tar', ['-xzf', archive, '-C', join(folder, name)]);
      }
    }
    for (const name of readdirSync(folder, { recursive: true })) {
      const stat = statSync(join(folder, name));
      if (stat.isFile() && stat.size > 0 && stat.size <= largest) {
        files.push(join(folder, name));
      }
    }
    const step = Math.max(1, Math.floor(files.length / Number(wanted)));
    return files.sort().filter((_, i) => i % step === 0).map((name) => readFileSync(name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** URLs near the rules of a text, and the robots that it names. */
function questions(text) {
  const urls = new Set([`${site}/`]);
  const names = new Set(['ExampleBot', 'Googlebot']);
  for (const line of text.split(/[\r\n]+/)) {
    const [, field, value] = /^\s*(user-agent|allow|disallow)\s*:\s*([^#]*)/i.exec(line) ?? [];
    if (/^user-agent$/i.test(field)) {
      const name = /^[A-Za-z_-]+/.exec(value)?.[0];
      if (name !== undefined && names.size < 5) {
        names.add(name);
      }
    } else if (value !== undefined && value.startsWith('/') && urls.size < mostUrls) {
      urls.add(site + value.trim().replaceAll('*', 'x').replace(/\$$/, ''));
      urls.add(site + value.trim().replaceAll('*', '') + 'x');
    }
  }
  return { urls: [...urls], names: [...names] };
}

const files = readFiles().map((bytes) => ({ bytes, text: new TextDecoder().decode(bytes) }));
const asked = files.map(({ text }) => questions(text));
const robots = await load();

/** Answers all questions with a function, and returns the answers. */
function answers(open) {
  return files.map(({ bytes, text }, i) => open(bytes, text, asked[i]));
}

const ours = (dialect) => (bytes, text, { urls, names }) => {
  const policy = robots.parse(text, { dialect });
  const { codes } = policy.matchAll(urls, names);
  policy.free();
  return Array.from(codes, (code) => (code & 1) === 1);
};
const theirs = (bytes, text, { urls, names }) => {
  const parser = robotsParser(`${site}/robots.txt`, text);
  return urls.flatMap((url) => names.map((name) => parser.isAllowed(url, name)));
};

const got = answers(theirs).flat();
console.log(`${files.length} files, ${got.length} questions, Node ${process.version}`);
for (const dialect of ['rfc9309', 'google']) {
  const want = answers(ours(dialect)).flat();
  const differ = want.filter((allowed, i) => allowed !== got[i]).length;
  console.log(`robots-parser differs from dialect ${dialect} in ${differ} answers, ${((100 * differ) / got.length).toFixed(2)} %`);
}

/** Measures work on all files in microseconds for each unit: the fastest of five rounds, which take turns with the others. */
const times = new Map();
function measure(name, units, work) {
  const began = performance.now();
  work();
  const micros = ((performance.now() - began) * 1000) / units;
  times.set(name, Math.min(times.get(name) ?? Infinity, micros));
}
const questionsInAll = got.length;
for (let round = 0; round < 5; round++) {
  let policies;
  let parsers;
  measure('parse, robots-parser, a file', files.length, () => (parsers = files.map(({ text }) => robotsParser(`${site}/robots.txt`, text))));
  measure('parse, this package, a file', files.length, () => (policies = files.map(({ text }) => robots.parse(text))));
  measure('match, robots-parser, a question', questionsInAll, () => {
    asked.forEach(({ urls, names }, i) => urls.forEach((url) => names.forEach((name) => parsers[i].isAllowed(url, name))));
  });
  measure('match, this package, a question, the first time', questionsInAll, () => {
    asked.forEach(({ urls, names }, i) => urls.forEach((url) => names.forEach((name) => policies[i].allowed(url, name))));
  });
  measure('match, this package, a question', questionsInAll, () => {
    asked.forEach(({ urls, names }, i) => urls.forEach((url) => names.forEach((name) => policies[i].allowed(url, name))));
  });
  measure('matchAll, this package, a question', questionsInAll, () => asked.forEach(({ urls, names }, i) => policies[i].matchAll(urls, names)));
  policies.forEach((policy) => policy.free());
}
for (const [name, micros] of times) {
  console.log(`${name}: ${micros.toFixed(2)} µs`);
}
