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
  #handle: number;
  #robots = new Map<string, number>(); // the numbers of robots, by what their lists cross the border as

  /** @internal */
  constructor(engine: Engine, handle: number) {
    this.#engine = engine;
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

  /** Returns whether a robot may fetch a URL, and why. The URL is absolute, or its path with the query. Any other text throws `bad-url`. */
  match(url: string, robot: Robot = '*'): Match {
    const n = this.#number(robot);
    const verdict = this.#engine.call('match', this.#engine.putText(text(url, 'the URL')), this.#handle, n);
    const reason = this.#engine.about.reasons[(verdict >>> 1) & 7] as Reason;
    const allowed = (verdict & 1) !== 0;
    return reason === 'rule' ? { allowed, reason, line: verdict >>> 4, rule: this.#engine.text() } : { allowed, reason };
  }

  /** Reports whether a robot may fetch a URL. No robot may fetch a text that is not a URL. */
  allowed(url: string, robot: Robot = '*'): boolean {
    const n = this.#number(robot);
    try {
      return (this.#engine.call('match', this.#engine.putText(text(url, 'the URL')), this.#handle, n) & 1) !== 0;
    } catch (error) {
      if (error instanceof RobotsError && error.code === 'bad-url') {
        return false;
      }
      throw error;
    }
  }

  /**
   * Returns a verdict for each URL and each robot. Many URLs cost much less in one call than in many. A text that is not a URL does
   * not throw: its reason is `not-a-url`.
   */
  matchAll(urls: readonly string[], robots: readonly Robot[] = ['*']): Verdicts {
    this.#live();
    const engine = this.#engine;
    const numbers = this.#numbers(robots);
    const verdicts = new Uint32Array(urls.length * robots.length);
    for (let start = 0; start < urls.length; ) {
      let end = start;
      for (let units = 0; end < urls.length && (end === start || units <= mostUnits); end++) {
        if (end > start && (end - start) * robots.length > mostVerdicts) {
          break;
        }
        units += text(urls[end]!, 'a URL').length;
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
  explain(url: string, robot: Robot = '*'): Explanation {
    const n = this.#number(robot);
    this.#engine.call('explain', this.#engine.putText(text(url, 'the URL')), this.#handle, n);
    return this.#engine.json() as Explanation;
  }

  /** Returns what the policy says to a robot beside the rules: its Crawl-delay, and the sitemaps. */
  facts(robot: Robot = '*'): Facts {
    this.#engine.call('facts', this.#handle, this.#number(robot));
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

/** The tokens of a robot, and whether it is alone: an object always says so, a name and a list never do. */
export function partsOf(robot: Robot): { readonly tokens: readonly string[]; readonly alone?: boolean } {
  if (typeof robot === 'string') {
    return { tokens: [robot] };
  }
  return 'tokens' in robot ? { tokens: robot.tokens, alone: robot.alone ?? false } : { tokens: robot };
}

/** Checks that an argument is a string, for callers without types. */
export function text(value: string, name: string): string {
  if (typeof value !== 'string') {
    throw new RobotsError('bad-value', `${name} is ${value === null ? 'null' : `of type ${typeof value}`}: give a string`);
  }
  return value;
}
