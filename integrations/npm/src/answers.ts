// The answers of the whole engine. Those about texts are the JSON of the service: server/api in the repository.

/** What a robot reads pages for. */
export type Purpose =
  | 'search' | 'ai-train' | 'ai-search' | 'ai-user' | 'preview' | 'ads' | 'seo' | 'monitor' | 'archive' | 'research' | 'feed' | 'security'
  | 'shopping' | 'social' | 'tool' | 'other';

/** A language of messages. */
export type Language = 'en' | 'es' | 'ko' | 'ru';

/** Which checks `lint` runs, and how it says what it finds. */
export interface LintOptions {
  readonly profile?: 'recommended' | 'strict' | 'seo' | 'historic';
  /** Names of checks that run too. */
  readonly enable?: readonly string[];
  /** Names of checks that do not run. */
  readonly disable?: readonly string[];
  readonly language?: Language;
  /** The origin of the file, such as `https://example.com`. */
  readonly origin?: string;
  /** The most findings of a check; without it 100. */
  readonly limit?: number;
}

/** What `lint` finds. */
export interface Report {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The number of further findings, by check. */
  readonly omitted?: Readonly<Record<string, number>>;
}

/** A mistake. Lines and columns start at 1, and columns count bytes of UTF-8. */
export interface Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly end_column: number;
  readonly severity: 'error' | 'warning' | 'info';
  readonly check: string;
  readonly message: string;
  readonly related?: readonly { readonly line: number; readonly message: string }[];
  readonly fix: Fix | null;
}

/** A repair. Its edits count bytes of UTF-8 from the start of the text. */
export interface Fix {
  readonly title: string;
  readonly safe: boolean;
  readonly effect: 'keeps' | 'closes' | 'opens' | 'changes';
  readonly edits: readonly { readonly start: number; readonly end: number; readonly new: string }[];
}

/** A verdict in an answer. */
export interface VerdictObject {
  readonly allowed: boolean;
  readonly reason: string;
  readonly line?: number;
  readonly rule?: string;
}

/** What a change of robots.txt changes. */
export interface Difference {
  /** All robots get the same answer for every path: this is proven. */
  readonly equal: boolean;
  /** False if a search took too many cases: there may be more changes then. */
  readonly decided: boolean;
  readonly changes: readonly Change[];
  readonly records: readonly RecordChange[];
  readonly undecided?: readonly string[];
}

/** Paths that were closed or opened, with a path that shows it. */
export interface Change {
  readonly agents: readonly string[];
  /** Robots without a group of their own that obey one of the agents. */
  readonly followers?: readonly string[];
  readonly direction: 'closed' | 'opened';
  readonly patterns: readonly string[];
  readonly witness: string;
  readonly before: VerdictObject;
  readonly after: VerdictObject;
  readonly regions: readonly { readonly pattern: string; readonly witness: string; readonly before: VerdictObject; readonly after: VerdictObject }[];
}

/** A record beside the rules, such as Sitemap, that was added or removed. */
export interface RecordChange {
  readonly agents?: readonly string[];
  readonly field: string;
  readonly value: string;
  readonly line: number;
  readonly added: boolean;
}

/** Whether claims hold. */
export interface Proofs {
  readonly claims: readonly {
    readonly line: number;
    readonly text: string;
    readonly holds: boolean;
    readonly decided: boolean;
    /** A robot and a path for which the claim does not hold, and the answer for it. */
    readonly agent?: string;
    readonly witness?: string;
    readonly match?: VerdictObject;
  }[];
}

/** A smaller text. */
export interface Minimized {
  readonly left_out: readonly { readonly line: number; readonly text: string; readonly why: string }[];
  readonly minimized: number;
  readonly bytes: number;
  readonly shifts: readonly { readonly agent: string; readonly reader: string; readonly witness: string; readonly before: VerdictObject; readonly after: VerdictObject }[];
  readonly shifts_undecided: boolean;
  readonly undecided: boolean;
  readonly text?: string;
  readonly text_base64?: string;
}

/** A robot, or another program, and what is known of it. */
export interface Agent {
  readonly token: string;
  /** The product tokens that it obeys, the most specific first. */
  readonly tokens: readonly string[];
  readonly kind: string;
  readonly reason: string;
  readonly word?: string;
  /** Whether the table has it, and so what follows. */
  readonly known: boolean;
  /** Whether it obeys the group for everyone. */
  readonly everyone: boolean;
  readonly name?: string;
  readonly operator?: string;
  readonly purposes?: readonly Purpose[];
  readonly policy_only?: boolean;
  readonly robots_txt?: string;
  readonly crawl_delay?: string;
  readonly meta?: readonly string[];
  readonly verify?: { readonly ranges?: readonly string[]; readonly dns?: readonly string[] };
  readonly docs?: string;
  readonly source?: string;
  readonly checked?: string;
}

/** The robot that a text names. It is a `Robot`. */
export interface Finding {
  readonly name: string;
  readonly tokens: readonly string[];
  readonly alone: boolean;
  readonly facts: Agent;
}

/** The facts about a page beside its text. */
export interface PageOptions {
  /** Headers of the response, such as X-Robots-Tag. */
  readonly headers?: Iterable<readonly [string, string]> | Readonly<Record<string, string>>;
  /** The address of the page, against which links are resolved. */
  readonly url?: string;
  /** Product tokens, User-Agent headers, or other names, such as `claude` or `ai-train`; without them, any robot. */
  readonly agents?: readonly string[];
  /** Whether to take names that look misspelt. */
  readonly unknown?: boolean;
  /** Whether to list the links too. */
  readonly links?: boolean;
  readonly reading?: 'restrictive' | '1996';
  readonly language?: Language;
}

/** A place in a page or its headers. */
export interface Source {
  readonly place: string;
  readonly name?: string;
  readonly line?: number;
  readonly offset?: number;
  readonly number?: number;
}

/** A directive of a page. */
export interface Directive {
  readonly name: string;
  readonly robot?: string;
  readonly value?: string;
  readonly source: Source;
  readonly error?: string;
}

/** What a page says to robots. */
export interface PageAnswer {
  readonly title: string;
  readonly description: string;
  readonly keywords?: readonly string[];
  readonly state: 'static' | 'dynamic';
  readonly original?: string;
  readonly canonicals?: readonly { readonly url: string; readonly source: Source }[];
  readonly tdm_policy?: string;
  readonly charset: { readonly name?: string };
  /** Bytes. */
  readonly size: number;
  /** The limits that hid a part of the page, or `none`. */
  readonly cut: string;
  readonly error?: string;
  readonly directives: readonly Directive[];
  readonly links?: readonly { readonly url: string; readonly element: string; readonly rel?: readonly string[]; readonly source: Source }[];
  readonly nosnippet?: readonly { readonly element: string; readonly line: number; readonly offset: number; readonly end: number }[];
  /** About names of robots that nobody knows. */
  readonly notes?: readonly string[];
  /** The decision for each robot. */
  readonly for: readonly {
    readonly agent: string;
    readonly decision: {
      readonly index: boolean;
      readonly follow: boolean;
      readonly directives: Readonly<Record<string, boolean | number | string>>;
      readonly reading: string;
      readonly error?: string;
      readonly because: readonly (Directive & { readonly in_force: boolean })[];
    };
    /** The decision in words. */
    readonly sentence: string;
  }[];
  /** Whether the first robot may follow each of the links. */
  readonly follow?: readonly boolean[];
  /** The mistakes of the page's authors. */
  readonly diagnostics: readonly { readonly check: string; readonly line: number; readonly column: number; readonly severity: string; readonly message: string }[];
}
