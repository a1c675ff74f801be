// Runtimes at the edge, which compile WebAssembly when a program is deployed, and import it as a module.

import module from './whole.wasm';
import { loader } from './load.js';
import { WholeRobots } from './whole-robots.js';

export * from './whole.js';

/** Loads the engine; the second call returns the same one. */
export const load = loader((engine) => new WholeRobots(engine), async () => module);
