// A run of an audit: the logs, the worker that reads them, and the report. It goes on while other views are shown.

import { messageOf } from "./app";
import { EngineError, load, Mill } from "./engine";

export interface Title {
  text: string;
  number: boolean;
  side: boolean;
}

export interface Cell {
  text: string;
  number: boolean;
  class: string;
}

export interface Case {
  robot: string;
  head: string;
  version: string;
  place: string;
  line: string;
}

export interface ReportedRobot {
  name: string;
  bad: boolean;
  cells: Cell[];
  opener: string;
  facts: { name: string; text: string; side: boolean }[];
  cases: Case[] | null;
  none: string;
  more: string;
}

/** A row for each robot: its numbers in words, and its requests by time. */
export interface Picture {
  rows: PictureRow[] | null;
  /** 0 without bars. */
  width: number;
  height: number;
  ticks: { x: number; anchor: string; text: string }[] | null;
  /** What the tallest bar stands for. */
  scale: string;
}

export interface PictureRow {
  name: string;
  said: { text: string; class: string }[];
  label: string;
  bars: { x: number; y: number; width: number; height: number; title: string; class: string }[] | null;
}

/** A report as texts in a language: cmd/internal/audit/auditreport/view.go. */
export interface AuditReport {
  language: string;
  verdict: string;
  /** Why the robots.txt may not be the one that was in force, or "". */
  doubt: string;
  bad: boolean;
  nothing: "" | "requests" | "user-agent" | "versions" | "hosts";
  facts: string[] | null;
  picture: Picture;
  titles: Title[];
  robots: ReportedRobot[] | null;
  more: string;
  /** The rules that robots did not obey, with sums over all robots. */
  paths: Cell[][] | null;
  more_paths: string;
  worst: Case[] | null;
  suspects: { name: string; requests: string; header: string; evidence: string[] | null }[] | null;
  more_suspects: string;
  peaks: Cell[][] | null;
  reasons: Cell[][] | null;
  hosts: Cell[][] | null;
  versions: Cell[][] | null;
  notes: string[] | null;
  text: Record<string, string>;
  host_titles: Title[];
  version_titles: Title[];
  peak_titles: Title[];
  path_titles: Title[];
}

/** What an audit depends on. */
export interface Options {
  robots: string;
  format: string;
  site: string;
}

export type Form = "html" | "json" | "csv" | "letter";

/** The state of a run. A run that failed or was stopped has no report. */
export type Progress = "none" | "reading" | "done" | "stopped" | "failed";

/** Audits of one page, one at a time. */
export class Run {
  progress: Progress = "none";
  files: File[] = [];
  /** Bytes of the files, and those that were read. */
  size = 0;
  read = 0;
  requests = 0;
  /** Messages about logs that could not be read to their ends, or about the whole audit. */
  failures: string[] = [];
  /** The options of the report. */
  options: Options | null = null;
  /** Hears of each change. */
  changed: () => void = () => {};

  private names: string[] = [];
  private module: Promise<WebAssembly.Module> | null = null;
  private mill: Mill | null = null;

  // load loads the engine, if it is not loaded.
  private load(): Promise<WebAssembly.Module> {
    this.module ??= load("audit.wasm.gz");
    this.module.catch(() => {
      this.module = null; // the next call tries again
    });
    return this.module;
  }

  /** Returns the names of formats of logs. The first call loads the engine. */
  async formats(): Promise<string[]> {
    if (this.names.length > 0) return this.names;
    const mill = new Mill(this.load());
    try {
      this.names = await mill.ask<string[]>("audit-formats", {});
    } finally {
      mill.stop();
    }
    return this.names;
  }

  /** Audits files. The report of an earlier audit is gone. */
  async start(files: File[], options: Options): Promise<void> {
    this.mill?.stop();
    this.files = files;
    this.size = files.reduce((sum, f) => sum + f.size, 0);
    this.read = 0;
    this.failures = [];
    this.options = options;
    this.progress = "reading";
    const mill = new Mill(this.load(), files, (read) => {
      this.read = read;
      this.changed();
    });
    this.mill = mill;
    this.changed();
    try {
      const answer = await mill.ask<{ requests: number; failures: string[] | null }>("audit", { ...options, logs: files.map((f) => f.name) });
      if (mill !== this.mill) return;
      this.requests = answer.requests;
      this.failures = answer.failures ?? [];
      this.progress = "done";
    } catch (error) {
      if (mill !== this.mill) return;
      this.progress = "failed";
      this.failures = [error instanceof EngineError && error.code === "stopped" ? "the worker has ended" : messageOf(error)];
    }
    this.changed();
  }

  /** Ends an audit at once. */
  stop(): void {
    const mill = this.mill;
    this.mill = null;
    mill?.stop();
    this.progress = "stopped";
    this.changed();
  }

  /** Returns the report in a language. */
  report(language: string, hide: boolean): Promise<AuditReport> {
    return this.ask("audit-view", { language, hide });
  }

  /** Returns the text of a file with the report, or with the letter about a robot. */
  async save(form: Form, language: string, hide: boolean, robot = 0): Promise<string> {
    return (await this.ask<{ text: string }>("audit-save", { form, language, hide, robot })).text;
  }

  private ask<A>(name: string, question: object): Promise<A> {
    if (!this.mill) return Promise.reject(new EngineError("bad-value", "there is no audit"));
    return this.mill.ask<A>(name, question);
  }
}
