// Packs the package, installs the tarball in a fresh folder, as a user does, and runs the tests and the examples there.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'robots-npm-'));
const run = (program, args, cwd, env = {}) => execFileSync(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
const quiet = ['--silent', '--no-audit', '--no-fund'];

try {
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], here);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  run('npm', ['install', ...quiet, '--offline', `./${tarball}`], folder);
  cpSync(join(here, 'test'), join(folder, 'test'), { recursive: true });
  cpSync(join(here, 'examples'), join(folder, 'examples'), { recursive: true, filter: (name) => !name.includes('node_modules') });
  // The example for Express finds Express where npm ci has put it.
  run('node', ['--test', '--expose-gc', ...process.argv.slice(2), ...tests(join(folder, 'test'))], folder, { ROBOTS_REPOSITORY: join(here, '../..') });
  run('node', ['--test', ...tests(join(folder, 'examples/fetch'))], folder);
  const express = join(here, 'examples/express/node_modules');
  cpSync(express, join(folder, 'examples/express/node_modules'), { recursive: true });
  run('node', ['--test', ...tests(join(folder, 'examples/express'))], folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tests(at) {
  return readdirSync(at).filter((name) => name.endsWith('.test.mjs')).map((name) => join(at, name));
}
