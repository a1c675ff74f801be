import { readFile } from 'node:fs/promises';

import { loader } from './load.js';
import { WholeRobots } from './whole-robots.js';

export * from './whole.js';

/** Loads the engine; the second call returns the same one. */
export const load = loader((engine) => new WholeRobots(engine), async () => WebAssembly.compile(await readFile(new URL('./whole.wasm', import.meta.url))));
