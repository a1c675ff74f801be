// What the entries use of their environments.

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

declare module 'node:fs/promises' {
  export function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

declare module 'node:fs' {
  export function readFileSync(path: URL): Uint8Array<ArrayBuffer>;
}

declare function require(name: string): unknown;
