// The worker runs the engine: it gives the engine the page's questions, and the page the answers. Another worker with this code compiles it before.

import { Engine } from "../../../../integrations/npm/src/engine.js";
import { RobotsError } from "../../../../integrations/npm/src/errors.js";
import { bytesOf, hasBytes } from "./bytes";
import { pieces } from "./pieces";

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Packed | Start | Ask>) => void) | null;
  postMessage(message: object): void;
};

interface Packed {
  /** An engine, compressed with gzip. */
  packed: ArrayBuffer;
}

interface Start {
  module: WebAssembly.Module;
  /** Files that the engine reads. */
  files: File[];
}

interface Ask {
  id: number;
  name: string;
  question: object;
  /** Texts of robots.txt, by the members of the question that are to have their policies. */
  texts: Record<string, string>;
}

let engine: Promise<Engine>;

scope.onmessage = async ({ data }) => {
  if ("packed" in data) {
    try {
      scope.postMessage({ module: await compile(data.packed) });
    } catch (error) {
      scope.postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
    return;
  }
  if ("module" in data) {
    engine = Engine.start(data.module, pieces(data.files, (read) => scope.postMessage({ read })));
    return;
  }
  try {
    scope.postMessage({ id: data.id, answer: answer(await engine, data) });
  } catch (error) {
    const { code, message } = error instanceof RobotsError ? error : { code: "fault", message: String(error) };
    scope.postMessage({ id: data.id, error: { code, message } });
  }
};

// compile compiles an engine while it is decompressed.
function compile(packed: ArrayBuffer): Promise<WebAssembly.Module> {
  const wasm = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(wasm, { headers: { "Content-Type": "application/wasm" } }));
}

// put gives the engine a text, and returns its size.
function put(e: Engine, text: string): number {
  if (!hasBytes(text)) return e.putText(text);
  const bytes = bytesOf(text);
  e.room(bytes.length).set(bytes);
  return bytes.length;
}

// answer parses the texts of a question, asks it, and frees the policies.
function answer(e: Engine, { name, question, texts }: Ask): unknown {
  const policies: Record<string, number> = {};
  try {
    for (const [member, text] of Object.entries(texts)) {
      policies[member] = e.call("parse", put(e, text), 0);
    }
    return e.ask(name, { ...question, ...policies });
  } finally {
    for (const policy of Object.values(policies)) e.call("free", policy);
  }
}
