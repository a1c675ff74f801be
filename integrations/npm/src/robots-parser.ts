// The interface of the npm package robots-parser, answered by the engine.

import { Engine } from './engine.js';
import { RobotsError } from './errors.js';
import { Policy, readings, text, type Match, type Robot } from './policy.js';

/** The answers of a robots.txt, as the package robots-parser gives them. */
export interface RobotsParser {
  /** Whether a robot may fetch a URL: undefined if the URL is of another origin, or no URL. */
  isAllowed(url: string, ua?: string): boolean | undefined;
  /** The opposite of `isAllowed`: true also for a URL of another origin. */
  isDisallowed(url: string, ua?: string): boolean | undefined;
  /** Whether a group that names the robot disallows the URL to it: the group for everyone does not count. */
  isExplicitlyDisallowed(url: string, ua: string): boolean | undefined;
  /** The number of the deciding line, from 1 on, or -1. */
  getMatchingLineNumber(url: string, ua?: string): number;
  /** Seconds. */
  getCrawlDelay(ua?: string): number | undefined;
  /** The values of all Sitemap lines. */
  getSitemaps(): string[];
  /** The value of the last Host line. */
  getPreferredHost(): string | null;
}

/** The place of relative URLs, which no URL of a site has. */
const relative = 'http://relative.invalid/';

/** More units of UTF-16 are cut: these have 15 MiB at most, and robots read 500 KiB. */
const mostUnits = 5 << 20;

/** @internal Makes the function of the package. It starts the core engine with the first robots.txt. */
export function parserOf(module: () => WebAssembly.Module): (url: string, robotstxt: string) => RobotsParser {
  let engine: Engine | undefined;
  return function robotsParser(url, robotstxt) {
    engine ??= Engine.startNow(module());
    try {
      return new Parsed(engine, url, robotstxt);
    } catch (error) {
      if (error instanceof RobotsError && error.code === 'fault') {
        engine = undefined; // the next call starts another
      }
      throw error;
    }
  };
}

class Parsed implements RobotsParser {
  readonly #origin: string | undefined;
  readonly #policy: Policy;
  readonly #host: string | null;
  readonly #sitemaps: readonly string[];

  constructor(engine: Engine, url: string, robotstxt: string) {
    this.#origin = originOf(parsed(url));
    // Half a surrogate pair is in no URL. In the usual form of escapes it does not become U+FFFD, which is in some.
    const lines = text(robotstxt ?? '', 'the robots.txt').slice(0, mostUnits).replace(/\p{Surrogate}/gu, escapedSurrogate);
    const size = engine.putText(lines);
    this.#policy = new Policy(engine, engine.call('parse', size, engine.about.dialects.indexOf('rfc9309')));
    engine.rest(size);
    this.#host = valuesOf(lines, 'host').at(-1)?.toLowerCase() ?? null;
    this.#sitemaps = valuesOf(lines, 'sitemap');
  }

  isAllowed(url: string, ua?: string): boolean | undefined {
    return this.#match(url, ua)?.allowed;
  }

  isDisallowed(url: string, ua?: string): boolean {
    return !this.isAllowed(url, ua);
  }

  isExplicitlyDisallowed(url: string, ua: string): boolean | undefined {
    const path = this.#pathOf(url);
    if (path === undefined) {
      return undefined;
    }
    // If no group names the robot, the name by which its group was found is that for everyone.
    return namesOf(ua).some((name) => !this.#policy.match(path, name).allowed && (name === '*' || this.#policy.facts(name).group !== '*'));
  }

  getMatchingLineNumber(url: string, ua?: string): number {
    return this.#match(url, ua)?.line ?? -1;
  }

  getCrawlDelay(ua?: string): number | undefined {
    const delays = namesOf(ua).flatMap((name) => this.#policy.facts(name).crawlDelay ?? []);
    return delays.length > 0 ? Math.max(...delays) : undefined;
  }

  getSitemaps(): string[] {
    return [...this.#sitemaps];
  }

  getPreferredHost(): string | null {
    return this.#host;
  }

  /** The match for the path of a URL. Where a header names several robots, it is that of one which may not fetch the URL, if there is one. */
  #match(url: string, ua: string | undefined): Match | undefined {
    const path = this.#pathOf(url);
    if (path === undefined) {
      return undefined;
    }
    const matches = namesOf(ua).map((name) => this.#policy.match(path, name));
    return matches.find(({ allowed }) => !allowed) ?? matches[0];
  }

  /** The path of a URL of the origin, with its query. */
  #pathOf(url: string): string | undefined {
    const at = parsed(url);
    return at !== undefined && originOf(at) === this.#origin && at.pathname.startsWith('/') ? at.pathname + at.search : undefined;
  }
}

/** The robots that a User-Agent header or a name stands for. Without a name it is any robot. */
function namesOf(ua: string | undefined): Robot[] {
  const names = ua ? readings(text(ua, 'the user-agent'), 'rfc9309') : [];
  return names.length > 0 ? names : ['*'];
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url, relative);
  } catch {
    return undefined;
  }
}

function originOf(url: URL | undefined): string | undefined {
  return url && `${url.protocol}//${url.host}`;
}

/** The values of the lines with a field, without comments and white space. */
function valuesOf(robotsTxt: string, field: string): string[] {
  return robotsTxt.split(/\r\n|\r|\n/).flatMap((line) => {
    const [record = ''] = line.split('#', 1);
    const colon = record.indexOf(':');
    const value = record.slice(colon + 1).trim();
    return colon > 0 && value !== '' && record.slice(0, colon).trim().toLowerCase() === field ? [value] : [];
  });
}

/** Half a surrogate pair as the escapes of its bytes, which no URL has in this form. */
function escapedSurrogate(half: string): string {
  const code = half.charCodeAt(0);
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
}
