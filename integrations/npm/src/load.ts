import { Engine } from './engine.js';
import { RobotsError } from './errors.js';

/** Where the WebAssembly comes from. */
export interface LoadOptions {
  /** The module, or its bytes. Without it, the file beside this package is read. */
  readonly module?: WebAssembly.Module | BufferSource | Response | Promise<Response>;
}

/** Makes the function that loads an engine: once, unless a module is given. */
export function loader<R>(make: (engine: Engine) => R, find: () => Promise<WebAssembly.Module>): (options?: LoadOptions) => Promise<R> {
  let loaded: Promise<R> | undefined;
  const load = async (module: Promise<WebAssembly.Module>) => make(await Engine.start(await module));
  return ({ module } = {}) => {
    if (module !== undefined) {
      return load(compile(module));
    }
    loaded ??= load(find()).catch((error: unknown) => {
      loaded = undefined; // the next call tries again
      throw error;
    });
    return loaded;
  };
}

/** Compiles a module. */
export async function compile(source: WebAssembly.Module | BufferSource | Response | Promise<Response>): Promise<WebAssembly.Module> {
  const given = await source;
  if (given instanceof WebAssembly.Module) {
    return given;
  }
  if (!(typeof Response === 'function' && given instanceof Response)) {
    return WebAssembly.compile(given as BufferSource);
  }
  if (!given.ok) {
    throw new RobotsError('fault', `the WebAssembly cannot be loaded: the server answers ${given.status} for ${given.url}`);
  }
  // Not every server knows the media type, and then the browser does not compile while the file comes.
  if (given.headers.get('Content-Type') === 'application/wasm') {
    return WebAssembly.compileStreaming(given);
  }
  return WebAssembly.compile(await given.arrayBuffer());
}
