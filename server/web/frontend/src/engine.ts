// The engine is Go compiled to WebAssembly. It runs in two workers, so that the page never waits: one
// for answers that follow each key, one for work that may take seconds. Nothing is sent to a server.

export interface Robot {
  token: string;
  tokens: string[];
  kind: string;
  name: string;
  operator?: string;
  purposes: string[];
  everyone: boolean;
  policy_only: boolean;
  robots_txt: string;
  crawl_delay: string;
  verify?: { ranges?: string[]; dns?: string[] };
  docs?: string;
  source?: string;
  checked?: string;
  known: boolean;
  reason: string;
  word?: string;
}

export interface Field {
  name: string;
  document: string;
  example: string;
  read: boolean;
}

export interface Known {
  version: string;
  robots: Robot[];
  purposes: string[];
  fields: Field[];
}

/** A group of robots.txt, with the robots that obey it. */
export interface Group {
  name: string;
  line: number;
  /** Places in Known.robots. */
  robots: number[];
  /** Robots of the question. */
  names: string[];
  /** It is also for all robots that nobody knows. */
  others: boolean;
}

/** Verdicts has for each group a number for each address: the deciding line times 16, plus 1 if it is allowed, or -1 for no URL. */
export interface Matrix {
  groups: Group[];
  verdicts: number[][];
  /** About names that nobody knows. */
  notes?: string[];
}

export type Reach = "open" | "partly" | "closed" | "undecided";
export type Reached = Group & { reach: Reach };

export interface Verdict {
  allowed: boolean;
  reason: string;
  line?: number;
  rule?: string;
}

export interface Explanation {
  match: Verdict;
  group: string;
  path: string;
  candidates: { line: number; rule: string; bytes: number; outcome: string }[];
}

export interface Explained {
  tokens: string[];
  dialects: { dialect: string; explanation: Explanation }[];
  /** Search engines that read in a way of their own. */
  asked: string[];
  /** Those of them that answer otherwise than RFC 9309, with a word for the difference. */
  engines: { engine: string; own: boolean; match: Verdict; why: string }[];
  /** About a name that nobody knows. */
  notes?: string[];
}

export interface Edit {
  start: number;
  end: number;
  new: string;
}

export interface Diagnostic {
  line: number;
  column: number;
  end_column: number;
  severity: "error" | "warning" | "info";
  check: string;
  message: string;
  related?: { line: number; message: string }[];
  fix: { title: string; safe: boolean; effect: string; edits: Edit[] } | null;
}

export interface Report {
  diagnostics: Diagnostic[];
  omitted?: Record<string, number>;
}

export interface Change {
  agents: string[];
  followers?: string[];
  direction: "closed" | "opened";
  patterns: string[];
  witness: string;
  before: Verdict;
  after: Verdict;
}

export interface Difference {
  equal: boolean;
  decided: boolean;
  changes: Change[];
  records: { agents?: string[]; field: string; value: string; line: number; added: boolean }[];
}

/** The configuration of a web server: cmd/internal/wasm/pageask/serve.go. */
export interface Exported {
  servers: string[];
  files: { name: string; text: string }[];
  includes: { place: string; lines: string[] }[];
  notes: string[];
}

export interface Proof {
  line: number;
  text: string;
  holds: boolean;
  decided: boolean;
  agent?: string;
  witness?: string;
  match?: Verdict;
}

/** A text in which the site is closed to robots and opened to others, and what that means. */
export interface Changed {
  text: string;
  /** As diff -u shows them; "" if no line changes. */
  lines: string;
  costs: { purpose: string; text: string }[];
  notes: string[];
  /** Robots that are closed for another purpose, and read pages for search too. */
  also: string[];
  commands: string[];
}

/** A robot that a name or a header names. */
export interface Found {
  name: string;
  tokens: string[];
  alone: boolean;
  facts: Robot;
}

/** Whether a range document lists an address. */
export interface Listed {
  address: string;
  listed: boolean;
  prefix?: string;
  entries: number;
  skipped?: number;
}

/** What a page tells robots. */
export interface PageAnswer {
  directives: { name: string; robot?: string; value?: string; error?: string }[];
  for: { agent: string; sentence: string }[];
  /** About names that nobody knows. */
  notes?: string[];
  diagnostics: { message: string; check: string }[];
}

/** A line of a report card. */
export interface CardLine {
  text: string;
  tone?: "good" | "bad";
  /** The line of robots.txt that it is about. */
  at?: number;
}

/** A report card, its words, and where on the page its commands have their like. */
export interface Card {
  card: { subject: string; purposes: { purpose: string; robots: number; says: { state: string; robots: string[] }[] }[]; mistakes: { errors: number; warnings: number; findings: { line: number; severity: string; message: string }[] }; next: { command: string; does: string }[] };
  sheet: { head: string; redirects?: string; not_robots?: string; rows: { label: string; lines: CardLine[]; beneath?: CardLine[] }[]; next: string };
  steps: { view?: string; robots?: string; address?: string; purposes?: string }[];
}

/** An error of the engine, with a message for people. */
export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** A Mill is a worker with an engine. It answers one question at a time. */
export class Mill {
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private last = 0;

  /** Files are for an engine that reads them; told hears how many of their bytes were read. */
  constructor(
    private readonly module: Promise<WebAssembly.Module>,
    private readonly files: File[] = [],
    private readonly told: (read: number) => void = () => {},
  ) {}

  // Texts are texts of robots.txt: the worker parses them, and the question has their policies under the same names.
  ask<A>(name: string, question: object, texts: Record<string, string> = {}): Promise<A> {
    const id = ++this.last;
    return new Promise<A>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      Promise.all([this.module, loadScript()]).then(([module, script]) => {
        if (this.waiting.has(id)) this.start(module, script).postMessage({ id, name, question, texts }); // it was not stopped while the engine came
      }, reject);
    });
  }

  /** Ends all work at once. The next question starts another worker. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    for (const w of this.waiting.values()) w.reject(new EngineError("stopped", "stopped"));
    this.waiting.clear();
  }

  private start(module: WebAssembly.Module, script: string): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(trusted(script));
    this.worker = worker;
    worker.onmessage = (event: MessageEvent<{ id: number; read?: number; answer?: unknown; error?: { code: string; message: string } }>) => {
      if (event.data.read !== undefined) {
        this.told(event.data.read);
        return;
      }
      const w = this.waiting.get(event.data.id);
      if (!w) return;
      this.waiting.delete(event.data.id);
      if (event.data.error) {
        const { code, message } = event.data.error;
        w.reject(new EngineError(code, message));
        if (code === "fault") this.stop(); // the memory of an engine that failed is not to be trusted
      } else {
        w.resolve(event.data.answer);
      }
    };
    worker.onerror = () => this.stop();
    worker.postMessage({ module, files: this.files });
    return worker;
  }
}

// loadScript returns an address of the worker, which holds its text: a worker at such an address has the policy of the page, also where the
// server sends no headers. One at the address of its file has none there.
function loadScript(): Promise<string> {
  script ??= fetch(new URL("worker.js", document.baseURI)).then(async (response) => {
    if (!response.ok) throw new EngineError("load", `${response.status}`);
    return URL.createObjectURL(new Blob([await response.text()], { type: "text/javascript" }));
  });
  return script;
}
let script: Promise<string> | undefined;

// trusted returns the address of the worker, the only script that the page can start: the first that is asked for stays the only one.
function trusted(script: string): string {
  const types = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown } } }).trustedTypes;
  if (!types) return script;
  policy ??= types.createPolicy("worker", { createScriptURL: () => script });
  return policy.createScriptURL(script) as string;
}
let policy: { createScriptURL(url: string): unknown } | undefined;

/** The engine of the page. Its questions wait until it is started. */
export class Engine {
  private begin!: (module: Promise<WebAssembly.Module>) => void;
  private readonly module = new Promise<WebAssembly.Module>((resolve) => {
    this.begin = resolve;
  });
  private readonly quick = new Mill(this.module);
  private readonly slow = new Mill(this.module);

  /** Loads the engine, and returns what it knows. */
  start(): Promise<Known> {
    this.begin(load("engine.wasm.gz"));
    return this.quick.ask("page-robots", {});
  }

  matrix(text: string, urls: string[], agents: string[], language: string): Promise<Matrix> {
    return this.quick.ask("page-matrix", { urls, agents, language }, { policy: text });
  }
  explain(text: string, agent: string, url: string, language: string): Promise<Explained> {
    return this.quick.ask("page-explain", { agent, url, language }, { policy: text });
  }
  lint(text: string, language: string): Promise<Report> {
    return this.slow.ask("page-lint", { language }, { policy: text });
  }
  /** The answer is that of the server of the origin, as the service tells it. */
  card(text: string, language: string, origin: string, answer: object | null): Promise<Card> {
    return this.slow.ask("page-card", { language, origin, answer }, { policy: text });
  }
  reach(text: string): Promise<Reached[]> {
    return this.slow.ask("page-reach", {}, { policy: text });
  }
  diff(before: string, after: string): Promise<Difference> {
    return this.slow.ask("diff", {}, { before, after });
  }
  prove(text: string, claims: string): Promise<{ claims: Proof[] }> {
    return this.slow.ask("prove", { claims }, { policy: text });
  }
  change(text: string, close: string[], open: string[], paths: string[], language: string): Promise<Changed> {
    return this.slow.ask("page-change", { close, open, paths, language }, { policy: text });
  }
  /** Returns how a web server enforces a text, or only the names of servers without one. */
  exports(text: string, server: string): Promise<Exported> {
    return this.slow.ask("page-export", { server }, { policy: text });
  }
  lookup(agent: string, unknown: boolean): Promise<Found> {
    return this.quick.ask("lookup", { agent, unknown });
  }
  robotsLike(search: string): Promise<Robot[]> {
    return this.quick.ask<{ agents: Robot[] }>("agents", { search }).then((answer) => answer.agents);
  }
  address(address: string, document: string): Promise<Listed> {
    return this.quick.ask("page-address", { address, document });
  }
  page(html: string, headers: [string, string][], url: string, agents: string[], language: string): Promise<PageAnswer> {
    return this.quick.ask("page", { html, headers, url, agents, unknown: true, language });
  }

  /** Ends work that takes seconds. */
  stop(): void {
    this.slow.stop();
  }
}

/** Loads an engine. A worker decompresses and compiles it: megabytes would hold up the page. */
export async function load(name: string): Promise<WebAssembly.Module> {
  const response = await fetch(new URL(name, document.baseURI));
  if (!response.ok) throw new EngineError("load", `${response.status}`);
  const packed = await response.arrayBuffer();
  const worker = new Worker(trusted(await loadScript()));
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<{ module?: WebAssembly.Module; error?: string }>) => {
        if (data.module) resolve(data.module);
        else reject(new EngineError("load", data.error ?? ""));
      };
      worker.onerror = (event) => reject(new EngineError("load", event.message));
      worker.postMessage({ packed }, [packed]);
    });
  } finally {
    worker.terminate();
  }
}
