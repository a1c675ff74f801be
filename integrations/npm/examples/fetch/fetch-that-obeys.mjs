// A fetch that obeys robots.txt, as RFC 9309 asks: https://www.rfc-editor.org/rfc/rfc9309
//
//   const obey = await fetchThatObeys({ userAgent: 'ExampleBot/1.0 (+https://example.com/bot)' });
//   const response = await obey('https://example.com/page'); // a DisallowedError where robots.txt disallows the URL
//
// Copy this file: it needs only the package. It does not wait between requests; `crawlDelay` says what a site asks for.

import { load } from '@robotsexclusion/robots';

const mostBytes = 500 * 1024; // of a robots.txt that count (section 2.5)
const mostRedirects = 5; // of a robots.txt (section 2.3.1.2)
const freshFor = 24 * 60 * 60 * 1000; // milliseconds that a robots.txt may be used (section 2.4)
const retryAfter = 60 * 1000; // milliseconds until an unreachable robots.txt is asked for again
const timeout = 30 * 1000; // milliseconds for a robots.txt
const mostOrigins = 1000; // whose robots.txt are kept

/** The robots.txt of a site disallows a URL. */
export class DisallowedError extends Error {
  constructor(url, match) {
    const rule = match.reason === 'rule' ? `line ${match.line}, ${JSON.stringify(match.rule)}` : match.reason;
    super(`robots.txt disallows ${url}: ${rule}`);
    this.name = 'DisallowedError';
    this.match = match;
  }
}

/**
 * Returns a fetch that obeys robots.txt, also at each redirect.
 *
 * `userAgent` is the header of all requests. It begins with the product token, by which robots.txt names the robot. `fetch` makes the
 * requests, and `now` is the time in milliseconds.
 */
export async function fetchThatObeys({ userAgent, fetch = globalThis.fetch, now = Date.now }) {
  const token = /^[A-Za-z_-]+/.exec(userAgent ?? '')?.[0];
  if (token === undefined) {
    throw new TypeError(`the user agent is ${JSON.stringify(userAgent)}: begin with a product token of letters, such as ExampleBot/1.0`);
  }
  const robots = await load();
  const headers = { 'User-Agent': userAgent };
  const cache = new Map(); // of promises, by origin, the least recently used first

  /** Returns the policy of an origin. At most one request for it is under way. */
  function policyOf(origin) {
    let entry = cache.get(origin);
    if (entry === undefined || entry.until <= now()) {
      entry = { until: Infinity, received: entry?.received };
      entry.policy = ask(origin, entry);
    }
    cache.delete(origin);
    cache.set(origin, entry);
    if (cache.size > mostOrigins) {
      cache.delete(cache.keys().next().value);
    }
    return entry.policy;
  }

  /**
   * Asks for a robots.txt. While it is unreachable, the one that was received last counts, even after 24 hours (section 2.4). Without one,
   * nothing is allowed (section 2.3.1.4).
   */
  async function ask(origin, entry) {
    try {
      entry.received = await get(origin);
      entry.until = now() + freshFor;
      return entry.received;
    } catch {
      entry.until = now() + retryAfter;
      return entry.received ?? robots.disallowAll();
    }
  }

  async function get(origin) {
    let url = new URL('/robots.txt', origin);
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeout) });
      const { status } = response;
      if (status >= 200 && status < 300) {
        return robots.parse(await read(response.body));
      }
      await response.body?.cancel();
      const location = response.headers.get('Location');
      if (status >= 300 && status < 400 && location !== null && redirects < mostRedirects) {
        url = new URL(location, url);
        if (!/^https?:$/.test(url.protocol)) {
          return robots.allowAll(); // the redirect leads to no robots.txt
        }
        continue;
      }
      // Section 2.3.1.3: a client error is no robots.txt; too many requests is a failure of the server, as Google reads it.
      if (status >= 300 && status < 500 && status !== 429) {
        return robots.allowAll();
      }
      throw new Error(`the server answers ${status}`);
    }
  }

  /** The fetch. Its first argument is an absolute URL, not a Request. */
  const obey = async (address, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('User-Agent', userAgent);
    const repeated = /^(GET|HEAD)$/i.test(init.method ?? 'GET') && (init.redirect ?? 'follow') === 'follow';
    let url = web(new URL(address));
    for (let redirects = 0; ; redirects++) {
      const match = (await policyOf(url.origin)).match(url.href, token);
      if (!match.allowed) {
        throw new DisallowedError(url.href, match);
      }
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      const location = response.headers.get('Location');
      // A request with a body is not repeated elsewhere: the caller gets the redirect, and decides.
      if (response.status < 300 || response.status >= 400 || location === null || !repeated) {
        return response;
      }
      await response.body?.cancel();
      if (redirects === 20) {
        throw new TypeError(`${address} redirects more than 20 times`);
      }
      const next = web(new URL(location, url));
      if (next.origin !== url.origin) {
        ['Authorization', 'Cookie', 'Proxy-Authorization'].forEach((name) => headers.delete(name));
      }
      url = next;
    }
  };
  /** Returns the seconds that a site asks the robot to wait between requests, or undefined. */
  obey.crawlDelay = async (url) => (await policyOf(new URL(url).origin)).facts(token).crawlDelay;
  return obey;
}

/** Checks that a URL is of the web, which has robots.txt. */
function web(url) {
  if (!/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${url.href} is not a URL of http or https`);
  }
  return url;
}

/** Reads the bytes of a robots.txt that count, and no more: not as a text, because robots compare bytes. */
async function read(body) {
  const bytes = new Uint8Array(mostBytes);
  let size = 0;
  if (body !== null) {
    for await (const part of body) {
      const taken = part.subarray(0, mostBytes - size);
      bytes.set(taken, size);
      size += taken.length;
      if (size === mostBytes) {
        break; // the stream is cancelled
      }
    }
  }
  return bytes.subarray(0, size);
}
