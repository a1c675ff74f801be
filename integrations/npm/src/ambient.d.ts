// What the entries use of their environments.

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
