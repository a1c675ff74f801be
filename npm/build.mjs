// Builds dist: JavaScript and its types from src, and the two engines from Go.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));
const run = (program, args, env = {}) => execFileSync(program, args, { cwd: here, stdio: 'inherit', env: { ...process.env, ...env } });

rmSync(`${here}dist`, { recursive: true, force: true });
run('node', ['node_modules/typescript/bin/tsc']);
copyFileSync(`${here}../LICENSE`, `${here}LICENSE`);
for (const name of ['core', 'whole']) {
  const file = `dist/${name}.wasm`;
  run('go', ['build', '-trimpath', '-buildvcs=false', '-buildmode=c-shared', '-ldflags=-s -w', '-o', file, `../internal/engine/${name}`], {
    GOOS: 'wasip1',
    GOARCH: 'wasm',
  });
  const bytes = readFileSync(here + file);
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;
  console.log(`${file}: ${bytes.length} bytes, gzip -9 ${gzip}, brotli -q 11 ${brotli}`);
}
