// Browsers, and bundlers for them, which find the file by this form of its URL.

import { compile, loader } from './load.js';
import { WholeRobots } from './whole-robots.js';

export * from './whole.js';

/** Loads the engine; the second call returns the same one. */
export const load = loader((engine) => new WholeRobots(engine), () => compile(fetch(new URL('./whole.wasm', import.meta.url))));
