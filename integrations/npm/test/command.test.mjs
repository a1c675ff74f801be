// The command of the package on this machine: its files, its network, and its streams. TestNPMVerbs and TestNPMSites compare the verbs with those of
// the command robots.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';

const robots = fileURLToPath(new URL('../node_modules/.bin/robots', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'robots-command-'));
const text = 'User-agent: *\nDisallow: /private/\nDisalow: /é\n';
let site = '/ok';
let server;
let origin;

before(async () => {
  writeFileSync(join(folder, 'é.txt'), text);
  writeFileSync(join(folder, 'latin1.txt'), Buffer.from('User-agent: *\nDisallow: /caf\xe9\n', 'latin1'));
  writeFileSync(join(folder, 'huge.txt'), '#'.repeat((8 << 20) + 1));
  mkdirSync(join(folder, 'folder'));
  server = createServer((req, res) => {
    switch (req.url === '/elsewhere' ? '/ok' : site) {
      case '/ok':
        return res.end(text);
      case '/moved':
        return res.writeHead(301, { Location: '/elsewhere' }).end();
      case '/fails':
        return res.writeHead(500).end();
      case '/long':
        return res.end(text + '#'.repeat(9 << 20));
      default: // ends in the middle
        res.writeHead(200, { 'Content-Length': 100 });
        return res.write('User-agent: *\n', () => res.destroy());
    }
  });
  await new Promise((started) => server.listen(0, '127.0.0.1', started));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Runs a program, and checks its exit status and what it writes. */
async function runs(status, out, err, args, input = '', program = robots) {
  const got = await new Promise((resolve) => {
    const env = { PATH: process.env.PATH };
    const child = execFile(program, args, { cwd: folder, env, maxBuffer: 64 << 20 }, (error, ...texts) => resolve([error?.code ?? 0, ...texts]));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
  assert.equal(got[0], status, `${args}: ${got}`);
  assert.match(got[1], out, `${args}`);
  assert.match(got[2], err, `${args}`);
}

test('files and standard input', async () => {
  await runs(0, /^é\.txt: 47 bytes, 1 group\n[^]*mistakes +1 error/, /^$/, ['report', 'é.txt']);
  await runs(1, /^é\.txt:3:1: error/, /^1 error in 1 file\n$/, ['lint', 'é.txt']);
  await runs(1, /^disallowed +\/caf%E9/, /^$/, ['match', 'latin1.txt', '/caf%E9']);
  await runs(0, /^allowed +GPTBot +\/x/, /^$/, ['match', '-a', 'GPTBot', 'é.txt', '/x']);
  await runs(1, /^stdin:3:1: error/m, /./, ['lint', '-'], text + '#\n'.repeat(300_000));
  await runs(0, /^$/, /^$/, ['lint', '-']);
});

test('what cannot be read', async () => {
  await runs(2, /^$/, /^robots: cannot read none\.txt: there is no such file/, ['lint', 'none.txt']);
  await runs(2, /^$/, /^robots: cannot read folder: it is a directory/, ['report', './folder'.slice(2)]);
  await runs(2, /^$/, /^robots: huge\.txt is larger than 8 MiB/, ['lint', 'huge.txt']);
  await runs(2, /^$/, /^robots: DNS has no host host\.invalid|^robots: DNS does not answer/, ['report', 'host.invalid']);
  await runs(2, /^$/, /npx @robotsexclusion\/robots report FILE/, []);
});

test('sites, and private addresses only if they are meant', async () => {
  for (const [at, status, out] of [['/ok', 0, /47 bytes/], ['/moved', 0, /47 bytes/], ['/fails', 1, /500/], ['/long', 0, /cut because there was more/], ['/cut', 1, /nothing is allowed/]]) {
    site = at;
    await runs(status, out, /^$/, ['report', '--allow-private', origin]);
  }
  await runs(2, /^$/, /loopback/, ['report', origin]);
  await runs(2, /^error .*loopback/, /^$/, ['match', origin.replace('127.0.0.1', 'localhost'), '/x']);
  await runs(1, /no server listens at 127\.0\.0\.1:1/, /^$/, ['report', '--allow-private', 'http://127.0.0.1:1']);
});

test('a reader that goes away, and a full disk', async () => {
  await runs(0, /^é/, /^1 error in 1 file\n$/, ['-c', `${robots} lint é.txt | head -1`], '', 'sh');
  await runs(2, /^$/, /ENOSPC/, ['-c', `${robots} lint é.txt >/dev/full`], '', 'sh');
  assert.match(readFileSync(robots, 'utf8'), /^#!\/usr\/bin\/env node\n/);
});
