import { Policy, text } from './policy.js';
import { Robots } from './robots.js';
import type {
  Agent, Difference, Finding, Fix, LintOptions, Minimized, PageAnswer, PageOptions, Proofs, Purpose, Report,
} from './answers.js';

/** An engine that also answers questions about whole texts, about robots, and about pages. */
export class WholeRobots extends Robots {
  #handle(policy: Policy): number {
    return Policy.handle(policy, this.engine);
  }

  /** Finds the mistakes in a text of robots.txt of 500 KiB at most. */
  lint(policy: Policy, options: LintOptions = {}): Report {
    return this.engine.ask('lint', { policy: this.#handle(policy), ...options });
  }

  /** Returns the text after all safe fixes of `lint`. */
  fix(policy: Policy, options: LintOptions = {}): string | Uint8Array {
    return textOf(this.engine.ask('fix', { policy: this.#handle(policy), ...options }));
  }

  /** Returns the text in its usual form, without changing its meaning. */
  format(policy: Policy): string | Uint8Array {
    return textOf(this.engine.ask('format', { policy: this.#handle(policy) }));
  }

  /**
   * Returns which paths a change closes and opens, and to which robots, proven for all paths. Without `agents`, the answer is about all robots that
   * one of the texts names, and all others. A name of `agents` that nobody knows is an error, unless `unknown` is true.
   */
  diff(before: Policy, after: Policy, options: { readonly agents?: readonly string[]; readonly unknown?: boolean } = {}): Difference {
    return this.engine.ask('diff', { before: this.#handle(before), after: this.#handle(after), ...options });
  }

  /** Proves claims for all paths, or refutes them with a path. A claim is a line such as `Googlebot may fetch /products/`. */
  prove(policy: Policy, claims: string, options: { readonly unknown?: boolean } = {}): Proofs {
    return this.engine.ask('prove', { policy: this.#handle(policy), claims: text(claims, 'the claims'), ...options });
  }

  /** Returns a smaller text with the same meaning. */
  minimize(policy: Policy): Minimized {
    return this.engine.ask('minimize', { policy: this.#handle(policy) });
  }

  /** Returns the known robots: all, those that a text names, or those with one of the purposes. */
  agents(options: { readonly search?: string; readonly purposes?: readonly Purpose[] } = {}): Agent[] {
    return this.engine.ask<{ agents: Agent[] }>('agents', options).agents;
  }

  /**
   * Finds the robot that a User-Agent header, or a product token, names. The answer is a `Robot`: `policy.match(url, robots.lookup(header))` is
   * the answer for that robot, with the groups that its operator documents. A text that names several robots is an error, and so is a name that
   * looks misspelt. With `unknown`, the text is a token or a header and may be any, such as that of a visitor: it always has an answer.
   */
  lookup(agent: string, options: { readonly unknown?: boolean } = {}): Finding {
    return this.engine.ask('lookup', { agent: text(agent, 'the header'), ...options });
  }

  /** Reads what a page says to robots: META tags, X-Robots-Tag, links. */
  page(html: string, options: PageOptions = {}): PageAnswer {
    const { headers = [], ...rest } = options;
    const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
    return this.engine.ask('page', { html: text(html, 'the page'), headers: pairs, ...rest });
  }

  /** Applies a fix of `lint`, whose edits count bytes, to the text. */
  apply(robotsTxt: string, fix: Fix): string {
    const bytes = new TextEncoder().encode(robotsTxt);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let at = 0;
    let fixed = '';
    for (const { start, end, new: replacement } of fix.edits) {
      fixed += decoder.decode(bytes.subarray(at, start)) + replacement;
      at = end;
    }
    return fixed + decoder.decode(bytes.subarray(at));
  }
}

/** A text of an answer, as bytes if it is not UTF-8. */
function textOf(answer: { text?: string; text_base64?: string }): string | Uint8Array {
  return answer.text ?? Uint8Array.from(atob(answer.text_base64 ?? ''), (c) => c.charCodeAt(0));
}
