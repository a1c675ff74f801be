// Builds dist: JavaScript and its types from src, and the engines from Go: verbs.wasm is for the command alone.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { shrink } from './shrink.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const run = (program, args, env = {}) => execFileSync(program, args, { cwd: here, stdio: 'inherit', env: { ...process.env, ...env } });

// Functions of the runtime that are not inlined are fewer bytes to compress. Those of the library still are, so verdicts take as long.
const smaller = ['-gcflags=runtime=-l'];

rmSync(`${here}dist`, { recursive: true, force: true });
run('node', ['node_modules/typescript/bin/tsc']);
copyFileSync(`${here}../../LICENSE`, `${here}LICENSE`);
for (const name of ['core', 'whole', 'verbs']) {
  const file = `dist/${name}.wasm`;
  run('go', ['build', '-trimpath', '-buildvcs=false', '-buildmode=c-shared', '-ldflags=-s -w', ...smaller, '-o', file, `../../cmd/internal/wasm/${name}`], {
    GOOS: 'wasip1',
    GOARCH: 'wasm',
  });
  writeFileSync(here + file, shrink(readFileSync(here + file)));
}
