/// <reference lib="esnext.disposable" preserve="true" />
import { Engine } from './engine.js';
import { RobotsError } from './errors.js';
import { Verdicts } from './verdicts.js';
import { robotsInput, urlsInput } from './wire.js';

/** The document by which a text is read. */
export type Dialect = 'rfc9309' | 'google' | 'koster1994' | 'koster1996' | 'kollar1996';

/**
 * A robot: its product token, such as `'ExampleBot'`, or the names that it goes by, the most specific first, such as
 * `['Googlebot-Image', 'Googlebot']`. An object also says whether the robot is `alone`: does not obey the group for everyone, as
 * AdsBot-Google does not; without `alone` it obeys that group. `lookup` of `@robotsexclusion/robots/whole` gives such an object for a
 * User-Agent header.
 *
 * A string may also be a User-Agent header: the first of its words that the policy names is the robot. White space around a token
 * does not count, and the fallbacks of known robots do: `'Googlebot-Image'` obeys the group of Googlebot if it has none of its own, and
 * `'AdsBot-Google'` is alone. A string with commas between names is several robots, and throws `bad-value`, also as one of a list.
 */
export type Robot = string | readonly string[] | { readonly tokens: readonly string[]; readonly alone?: boolean };

/**
 * A URL: an absolute one, or a path with its query, such as `/search?q=shoes`; or an object with the whole URL as its `href`, as objects of class
 * `URL` have.
 */
export type Address = string | { readonly href: string };

/** Why a URL is allowed or disallowed. */
export type Reason = 'no-group' | 'no-rule' | 'rule' | 'robots-file' | 'unavailable' | 'unreachable';

/** The answer whether a robot may fetch a URL, and why. */
export interface Match {
  readonly allowed: boolean;
  readonly reason: Reason;
  /** The number of the deciding line, from 1 on, if a rule decides. */
  readonly line?: number;
  /** The deciding rule, if a rule decides, such as `Disallow: /private/`. It is a text of strangers. */
  readonly rule?: string;
}

/** A rule that matched. */
export interface Candidate {
  readonly line: number;
  readonly rule: string;
  /** The length of its pattern in normal form. */
  readonly bytes: number;
  /** Why the rule decides or loses, such as `shorter than line 3`. */
  readonly outcome: string;
}

/** A match with all rules that matched. */
export interface Explanation {
  readonly match: Match;
  /** The name by which the robot's group was found, or `''`. */
  readonly group: string;
  /** The path of the URL, in the form that is compared with patterns. */
  readonly path: string;
  /** The rules that matched, the deciding one first. */
  readonly candidates: readonly Candidate[];
}

/** What a policy says to a robot beside the rules. */
export interface Facts {
  /** The name by which the robot's group was found, or `''`. */
  readonly group: string;
  /** The number of the group's first user-agent line. */
  readonly line?: number;
  /** Seconds. */
  readonly crawlDelay?: number;
  /** The absolute URLs of all sitemaps. */
  readonly sitemaps: readonly string[];
}

/** So many robots of a policy are kept at a time. */
const mostRobots = 1000;

/** A header that names more robots is allowed nothing. */
const mostNames = 100;

/** So many units of UTF-16, and so many verdicts, cross to the engine at a time. */
const mostUnits = 1 << 20;
const mostVerdicts = 1 << 20;

/** Frees the policies that nobody can reach any more. */
const unreachable = new FinalizationRegistry<{ engine: Engine; handle: number }>(({ engine, handle }) => {
  try {
    engine.call('free', handle);
  } catch {
    // The engine has ended.
  }
});

/** A parsed robots.txt. */
export class Policy {
  readonly #engine: Engine;
  readonly #dialect: Dialect;
  #handle: number;
  #robots = new Map<string, number>(); // the numbers of robots, by what their lists cross the border as

  /** @internal */
  constructor(engine: Engine, handle: number, dialect: Dialect = 'rfc9309') {
    this.#engine = engine;
    this.#dialect = dialect;
    this.#handle = handle;
    unreachable.register(this, { engine, handle }, this);
  }

  /** @internal The handle, for questions of the same engine. */
  static handle(policy: Policy, engine: Engine): number {
    if (policy.#engine !== engine) {
      throw new RobotsError('no-policy', 'the policy is of another engine: parse the text with this one');
    }
    return policy.#live();
  }

  #live(): number {
    if (this.#handle === 0) {
      throw new RobotsError('no-policy', 'the policy was freed: parse the text again');
    }
    return this.#handle;
  }

  /**
   * Reports whether a visitor may fetch a URL, by the visitor's User-Agent header, as it comes with a request:
   * `policy.isAllowed(request.url, request.headers.get('User-Agent'))`. The agent may also be a robot as for `match`. The answer is never true
   * because an argument is odd:
   *
   * - Without a name, that is for `null`, `undefined`, and texts such as `''` and `'-'`, nobody knows which rules are for the visitor: it may fetch
   *   `/robots.txt`, and nothing else unless there are no rules (`robots.allowAll()`).
   * - A header that names several robots is allowed what each of them is allowed. A name that people use for several robots, such as `claude`, is
   *   that of none, and so is a visitor with it.
   * - A text that is not a URL is disallowed.
   */
  isAllowed(url: Address, agent: Robot | null | undefined): boolean {
    if (agent === null || agent === undefined || isNameless(agent)) {
      return this.#allowsNameless(url);
    }
    if (typeof agent !== 'string') {
      return this.allowed(url, agent);
    }
    const robots = readings(agent, this.#dialect);
    return robots.length <= mostNames && robots.every((robot) => this.#allowsVisitor(url, robot));
  }

  /** Whether a visitor may fetch a URL of whom nobody knows which rules are for it. */
  #allowsNameless(url: Address): boolean {
    const { allowed, reason } = this.#matchOr(url, '*');
    return allowed && (reason === 'robots-file' || reason === 'unavailable');
  }

  #allowsVisitor(url: Address, robot: Robot): boolean {
    try {
      return this.allowed(url, robot);
    } catch (error) {
      if (error instanceof RobotsError && error.code === 'bad-value') {
        return this.#allowsNameless(url); // the engine takes the name for that of several robots
      }
      throw error;
    }
  }

  /** Returns whether a robot may fetch a URL, and why. A text that is not a URL throws `bad-url`. */
  match(url: Address): Match;
  match(url: Address, robot: Robot): Match;
  match(url: Address, ...robot: [robot?: Robot]): Match {
    const n = this.#number(given(robot));
    const verdict = this.#engine.call('match', this.#engine.putText(textOf(url)), this.#handle, n);
    const reason = this.#engine.about.reasons[(verdict >>> 1) & 7] as Reason;
    const allowed = (verdict & 1) !== 0;
    return reason === 'rule' ? { allowed, reason, line: verdict >>> 4, rule: this.#engine.text() } : { allowed, reason };
  }

  /**
   * Reports whether a robot may fetch a URL. No robot may fetch a text that is not a URL. For the header of a visitor, `isAllowed` is safer: it also
   * answers for a visitor without a name, and for headers in the other dialects.
   */
  allowed(url: Address): boolean;
  allowed(url: Address, robot: Robot): boolean;
  allowed(url: Address, ...robot: [robot?: Robot]): boolean {
    return this.#matchOr(url, given(robot)).allowed;
  }

  /** Whether a robot may fetch a URL, and why. Nobody may fetch a text that is not a URL. */
  #matchOr(url: Address, robot: Robot): { allowed: boolean; reason: Reason | undefined } {
    const n = this.#number(robot);
    try {
      const verdict = this.#engine.call('match', this.#engine.putText(textOf(url)), this.#handle, n);
      return { allowed: (verdict & 1) !== 0, reason: this.#engine.about.reasons[(verdict >>> 1) & 7] as Reason };
    } catch (error) {
      if (error instanceof RobotsError && error.code === 'bad-url') {
        return { allowed: false, reason: undefined };
      }
      throw error;
    }
  }

  /**
   * Returns a verdict for each URL and each robot. Many URLs cost much less in one call than in many. A text that is not a URL does
   * not throw: its reason is `not-a-url`.
   */
  matchAll(addresses: readonly Address[], robots: readonly Robot[] = ['*']): Verdicts {
    this.#live();
    const urls = list(addresses, 'the URLs').map(textOf);
    const engine = this.#engine;
    const numbers = this.#numbers(list(robots, 'the robots'));
    const verdicts = new Uint32Array(urls.length * robots.length);
    for (let start = 0; start < urls.length; ) {
      let end = start;
      for (let units = 0; end < urls.length && (end === start || units <= mostUnits); end++) {
        if (end > start && (end - start) * robots.length > mostVerdicts) {
          break;
        }
        units += urls[end]!.length;
      }
      const size = urlsInput(engine, numbers, urls, start, end);
      engine.call('match_all', size, this.#handle);
      const answer = engine.answer();
      verdicts.set(new Uint32Array(answer.slice().buffer), start * robots.length);
      engine.rest(size + answer.length);
      start = end;
    }
    return new Verdicts(verdicts, urls.length, robots.length, engine.about.reasons);
  }

  /** Returns the same answer as `match`, with all the rules that matched. */
  explain(url: Address): Explanation;
  explain(url: Address, robot: Robot): Explanation;
  explain(url: Address, ...robot: [robot?: Robot]): Explanation {
    const n = this.#number(given(robot));
    this.#engine.call('explain', this.#engine.putText(textOf(url)), this.#handle, n);
    return this.#engine.json() as Explanation;
  }

  /** Returns what the policy says to a robot beside the rules: its Crawl-delay, and the sitemaps. */
  facts(): Facts;
  facts(robot: Robot): Facts;
  facts(...robot: [robot?: Robot]): Facts {
    this.#engine.call('facts', this.#handle, this.#number(given(robot)));
    const { group, line, crawl_delay, sitemaps } = this.#engine.json() as { group: string; line: number; crawl_delay: number | null; sitemaps: string[] };
    return {
      group,
      ...(line > 0 && { line }),
      ...(crawl_delay !== null && { crawlDelay: crawl_delay }),
      sitemaps: sitemaps.filter((address) => URL.canParse(address) && /^(https?|ftp):$/.test(new URL(address).protocol)),
    };
  }

  /**
   * Frees the memory of the policy, which throws `no-policy` when it is used after that. A policy that is not freed is freed some time after the
   * program has dropped it.
   */
  free(): void {
    if (this.#handle !== 0) {
      unreachable.unregister(this);
      const handle = this.#handle;
      this.#handle = 0;
      this.#robots.clear();
      this.#engine.call('free', handle);
    }
  }

  /** The same as `free`, for `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  /** The number of a robot in the engine. */
  #number(robot: Robot): number {
    this.#live();
    // Most robots are a string that was asked about before.
    const known = typeof robot === 'string' ? this.#robots.get(keyOf(robot)) : undefined;
    return known ?? this.#numbers([robot])[0]!;
  }

  #numbers(robots: readonly Robot[]): number[] {
    const keys = robots.map(keyOf);
    let missing = new Map<string, Robot>();
    const find = () => {
      missing = new Map(keys.flatMap((key, i) => (this.#robots.has(key) ? [] : [[key, robots[i]!] as const])));
    };
    find();
    if (missing.size > 0 && this.#robots.size + missing.size > mostRobots) {
      this.#engine.call('forget', this.#handle);
      this.#robots.clear();
      find();
    }
    if (missing.size > 0) {
      const size = robotsInput(this.#engine, [...missing.values()]);
      this.#engine.call('robots', size, this.#handle);
      const numbers = new Uint32Array(this.#engine.answer().slice().buffer);
      [...missing.keys()].forEach((key, i) => this.#robots.set(key, numbers[i]!));
    }
    return keys.map((key) => this.#robots.get(key)!);
  }
}

/** A text that no other robot has. That of a string is the string, unless it starts with NUL. */
function keyOf(robot: Robot): string {
  if (typeof robot === 'string') {
    return robot.startsWith('\0') ? '\0' + robot : robot;
  }
  const { tokens, alone } = partsOf(robot);
  return '\0' + JSON.stringify([alone, tokens]);
}

/** @internal The tokens of a robot, and whether it is alone: an object always says so, a name and a list never do. */
export function partsOf(robot: Robot): { readonly tokens: readonly string[]; readonly alone?: boolean } {
  if (typeof robot === 'string') {
    return { tokens: [robot] };
  }
  if (typeof robot !== 'object' || robot === null || !('tokens' in robot || Array.isArray(robot))) {
    throw new RobotsError('bad-value', `the robot is ${kindOf(robot)}: give a product token, or a User-Agent header with isAllowed`);
  }
  return 'tokens' in robot ? { tokens: robot.tokens, alone: robot.alone ?? false } : { tokens: robot };
}

/** The robot of an optional argument. A value that is there and undefined is a mistake of the caller, and not the group for everyone. */
function given(robot: readonly [robot?: Robot]): Robot {
  return robot.length === 0 ? '*' : (robot[0] as Robot);
}

/** Reports whether a robot has no name: no letter and no digit, such as `-`, which logs have in place of a missing header. */
function isNameless(robot: Robot): boolean {
  const { tokens } = partsOf(robot);
  return Array.isArray(tokens) && !tokens.some((token) => typeof token !== 'string' || token.trim() === '*' || /[\p{L}\p{N}]/u.test(token));
}

/** Words of headers by which robots pose as browsers. */
const posing = new Set(['mozilla', 'compatible', 'applewebkit', 'khtml', 'like', 'gecko', 'chrome', 'safari', 'mobile', 'version', 'linux', 'windows', 'macintosh']);

/** @internal The robots of a header: one, or each of several with commas or semicolons between them. */
export function readings(header: string, dialect: Dialect): Robot[] {
  const robots: Robot[] = isList(header) ? [...new Set(header.split(/[,;]/))].filter((part) => !isNameless(part)) : [header];
  if (dialect !== 'rfc9309') {
    // The other dialects take a text as one token, so the words of the header are asked for too.
    const words = header.split(/[\s(),;]+/).map((word) => word.split('/', 1)[0]!);
    const names = words.filter((word) => /^[\p{L}\p{N}_.-]+$/u.test(word) && !posing.has(word.toLowerCase()));
    if (names.length > 0) {
      robots.push(...(isList(header) ? names : [names]));
    }
  }
  return robots;
}

/** Reports whether the engine takes a text for several robots: isList in cmd/internal/wasm/engine/named.go. */
function isList(header: string): boolean {
  let comma = false;
  let depth = 0;
  for (const c of header) {
    depth += c === '(' ? 1 : c === ')' ? -1 : 0;
    comma ||= c === ',' && depth <= 0;
  }
  if (header.startsWith('Mozilla/5.0 (')) {
    return comma && header.indexOf('Mozilla/5.0 (', 1) > 0;
  }
  return comma || (header.includes(';') && !/[(:]/.test(header));
}

/** The text of a URL. */
function textOf(url: Address): string {
  return typeof url === 'object' && url !== null && typeof url.href === 'string' ? url.href : text(url as string, 'the URL');
}

/** Checks that an argument is a list, for callers without types. */
function list<T>(value: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(value)) {
    throw new RobotsError('bad-value', `${name} are ${kindOf(value)}: give an array`);
  }
  return value;
}

/** @internal Checks that an argument is a string, for callers without types. */
export function text(value: string, name: string): string {
  if (typeof value !== 'string') {
    throw new RobotsError('bad-value', `${name} is ${kindOf(value)}: give a string`);
  }
  return value;
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : value === undefined ? 'undefined' : `of type ${typeof value}`;
}
