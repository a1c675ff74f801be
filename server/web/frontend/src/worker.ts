// The worker runs the engine: it gives the engine the page's questions, and the page the answers.

import { Engine } from "../../../../npm/src/engine.js";
import { RobotsError } from "../../../../npm/src/errors.js";
import { pieces } from "./pieces";

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Start | Ask>) => void) | null;
  postMessage(message: object): void;
};

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

// answer parses the texts of a question, asks it, and frees the policies.
function answer(e: Engine, { name, question, texts }: Ask): unknown {
  const policies: Record<string, number> = {};
  try {
    for (const [member, text] of Object.entries(texts)) {
      policies[member] = e.call("parse", e.putText(text), 0);
    }
    return e.ask(name, { ...question, ...policies });
  } finally {
    for (const policy of Object.values(policies)) e.call("free", policy);
  }
}
