// Runtimes at the edge, which compile WebAssembly when a program is deployed, and import it as a module.

import module from './core.wasm';
import { loader } from './load.js';
import { Robots } from './robots.js';

export * from './core.js';

/** Loads the engine; the second call returns the same one. */
export const load = loader((engine) => new Robots(engine), async () => module);
