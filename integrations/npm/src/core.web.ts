// Browsers, and bundlers for them, which find the file by this form of its URL.

import { compile, loader } from './load.js';
import { Robots } from './robots.js';

export * from './core.js';

/** Loads the engine; the second call returns the same one. */
export const load = loader((engine) => new Robots(engine), () => compile(fetch(new URL('./core.wasm', import.meta.url))));
