import { Engine } from './engine.js';
import { RobotsError } from './errors.js';

/** Where the WebAssembly comes from. */
export interface LoadOptions {
  /**
   * A `WebAssembly.Module`, its bytes in a buffer or a view of one, a `Response`, or the promise of a `Response`. Without it, the file beside this
   * package is read. The type is wide because TypeScript has the names of these classes only with the library of a browser or a runtime.
   */
  readonly module?: object;
}

/** @internal Makes the function that loads an engine: once, unless a module is given. */
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

/** @internal Compiles a module. */
export async function compile(source: object): Promise<WebAssembly.Module> {
  const given = await source;
  if (given instanceof WebAssembly.Module) {
    return given;
  }
  if (!(typeof Response === 'function' && given instanceof Response)) {
    if (!(given instanceof ArrayBuffer || ArrayBuffer.isView(given) || Object.prototype.toString.call(given) === '[object SharedArrayBuffer]')) {
      throw new RobotsError('bad-value', 'the module is neither a WebAssembly.Module, nor bytes, nor a Response: give one of these');
    }
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
