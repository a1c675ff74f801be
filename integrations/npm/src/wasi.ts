// The functions of WASI that a Go program imports. The engine gets the time, random numbers for its hash maps, and a place
// for its last words; it has no files, no network, no environment.

const success = 0;
const badDescriptor = 8;
const notSupported = 52;

/** The program ended: it is not there any more. */
export class Ended extends Error {}

/** Functions for WebAssembly to import, and what the program wrote to standard error last. */
export class Wasi {
  memory: WebAssembly.Memory | undefined;
  #words = '';

  /** The first line that the program wrote of late. */
  lastWords(): string {
    return this.#words.split('\n', 1)[0]!.slice(0, 200);
  }

  /** Everything that a module imports: functions of a host, and those of WASI; what the engine does not need refuses. */
  imports(module: WebAssembly.Module, host: Record<string, (...args: number[]) => number> = {}): WebAssembly.Imports {
    const known: Record<string, (...args: never[]) => number> = { ...this.#functions(), ...host };
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (kind === 'function') {
        (imports[from] ??= {})[name] = known[name] ?? (() => notSupported);
      }
    }
    return imports;
  }

  #view(): DataView {
    return new DataView(this.memory!.buffer);
  }

  #functions(): Record<string, (...args: never[]) => number> {
    const nothing = (counts: number, size: number) => {
      this.#view().setUint32(counts >>> 0, 0, true);
      this.#view().setUint32(size >>> 0, 0, true);
      return success;
    };
    return {
      args_get: () => success,
      args_sizes_get: nothing,
      environ_get: () => success,
      environ_sizes_get: nothing,
      fd_prestat_get: () => badDescriptor, // there are no folders
      sched_yield: () => success,
      clock_time_get: (clock: number, _precision: bigint, at: number) => {
        // Clock 0 is that of the wall, 1 runs evenly.
        const milliseconds = clock === 0 ? Date.now() : performance.now();
        this.#view().setBigUint64(at >>> 0, BigInt(Math.round(milliseconds * 1e6)), true);
        return success;
      },
      random_get: (at: number, size: number) => {
        const most = 65536; // bytes that getRandomValues gives at a time
        for (let i = 0; i < size; i += most) {
          crypto.getRandomValues(new Uint8Array(this.memory!.buffer, (at >>> 0) + i, Math.min(most, size - i)));
        }
        return success;
      },
      // Nothing waits: the program is told that every time has come.
      poll_oneoff: (subscriptions: number, events: number, count: number, counted: number) => {
        const view = this.#view();
        for (let i = 0; i < count; i++) {
          const event = (events >>> 0) + 32 * i;
          view.setBigUint64(event, view.getBigUint64((subscriptions >>> 0) + 48 * i, true), true);
          view.setBigUint64(event + 8, 0n, true);
        }
        view.setUint32(counted >>> 0, count, true);
        return success;
      },
      fd_write: (descriptor: number, vectors: number, count: number, written: number) => {
        const view = this.#view();
        let size = 0;
        let words = '';
        for (let i = 0; i < count; i++) {
          const at = view.getUint32((vectors >>> 0) + 8 * i, true);
          const length = view.getUint32((vectors >>> 0) + 8 * i + 4, true);
          words += new TextDecoder().decode(new Uint8Array(view.buffer, at, Math.min(length, 1024)));
          size += length;
        }
        if (descriptor === 2 && this.#words.length < 1024) {
          this.#words += words;
        }
        view.setUint32(written >>> 0, size, true);
        return success;
      },
      proc_exit: (status: number) => {
        throw new Ended(`the engine ended with status ${status}`);
      },
    };
  }
}
