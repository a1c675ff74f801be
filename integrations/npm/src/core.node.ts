import { readFile } from 'node:fs/promises';

import { loader } from './load.js';
import { Robots } from './robots.js';

export * from './core.js';

/** Loads the engine; the second call returns the same one. */
export const load = loader((engine) => new Robots(engine), async () => WebAssembly.compile(await readFile(new URL('./core.wasm', import.meta.url))));
