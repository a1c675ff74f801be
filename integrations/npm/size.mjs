// Prints the sizes of the engines, and fails if one is too large: Brotli, as the web sends it, and gzip, as npm does.

import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const limits = { core: 610_000, whole: 2_100_000, verbs: 2_900_000 }; // bytes in Brotli

for (const [name, limit] of Object.entries(limits)) {
  const bytes = readFileSync(new URL(`dist/${name}.wasm`, import.meta.url));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const brotli = brotliCompressSync(bytes, { params }).length;
  console.log(`${name}.wasm: ${bytes.length} bytes; gzip -9 ${gzip}, brotli -q 11 ${brotli} of ${limit}`);
  if (brotli > limit) {
    process.exitCode = 1;
  }
}
