// The entry with the interface of the package robots-parser: that package's own tests, and the package itself, beside ours.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it, test } from 'node:test';

import robotsParser from '@robotsexclusion/robots/robots-parser';

const theirs = createRequire(join(process.env.ROBOTS_REPOSITORY, 'integrations/npm/package.json')); // where npm ci has put it
const original = theirs('robots-parser');
const site = 'http://www.example.com/robots.txt';
const at = (path) => new URL(path, site).href;

describe("robots-parser's own tests", () => {
  const file = join(dirname(theirs.resolve('robots-parser')), 'test/Robots.js');
  const find = (name) => (name === '../index' ? robotsParser : theirs(name));
  new Function('require', 'describe', 'it', readFileSync(file, 'utf8'))(find, describe, it);
});

test('require gives the function, as that of robots-parser does', () => {
  const script = `
    const robotsParser = require('@robotsexclusion/robots/robots-parser');
    console.log(robotsParser('${site}', 'User-agent: *\\nDisallow: /x').isAllowed('${at('/x')}', 'a'));`;
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  assert.equal(execFileSync('node', ['--input-type=commonjs', '-e', script], { encoding: 'utf8', cwd }), 'false\n');
});

test('it answers as robots-parser does, but for the differences in README.md', () => {
  let seed = 7;
  const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const pick = (list) => list[next(list.length)];
  const paths = ['/', '/a', '/a/b', '/a/b.html', '/A', '/b?a=1', '/%C3%A9', '/é', '/a%2fb', '/a*b', '/c$', '/index.php?x=/a'];
  const patterns = ['/', '/a', '/a/', '/*.html$', '/*a', '*', '/a/*/c', '/b?', '/é', '/%c3%a9', '/$', '/a$', '', '/index.php?*x=', '/a*b', '/A'];
  const names = ['alpha', 'Beta', 'gamma-bot', 'delta_x'];
  let asked = 0;
  for (let i = 0; i < 3000; i++) {
    const lines = [];
    const groups = [...names, '*'].filter(() => next(2) === 0);
    for (const name of groups) {
      lines.push(pick(['User-agent: ', 'user-agent:', ' USER-AGENT : ']) + name + pick(['', ' # x', '  ']));
      for (let n = 1 + next(4); n > 0; n--) {
        lines.push(pick(['Disallow: ', 'disallow:', 'Allow: ', 'ALLOW : ']) + pick(patterns));
      }
      if (next(4) === 0) {
        lines.push(`Crawl-delay: ${pick(['1', '2.5', '10'])}`);
      }
      lines.push(pick(['', 'Host: Example.COM', 'Host: x.example # y', 'Sitemap: https://example.com/s.xml', 'sitemap: /rel.xml#x', '# comment']));
    }
    const text = lines.join(pick(['\n', '\r\n', '\r']));
    const [ours, other] = [robotsParser(site, text), original(site, text)];
    const named = original(site, text.replace(/(user-agent\s*:\s*)\*/gi, '$1nobody')); // without the group for everyone
    assert.deepEqual([ours.getSitemaps(), ours.getPreferredHost()], [other.getSitemaps(), other.getPreferredHost()], text);
    for (const ua of [undefined, '', 'alpha', 'ALPHA/1.0', 'beta', 'gamma-bot/2', 'delta_x', 'none/1', '*']) {
      assert.equal(ours.getCrawlDelay(ua), other.getCrawlDelay(ua), `${ua}\n${text}`);
      for (let n = 0; n < 4; n++) {
        const url = pick([at(pick(paths)), at(pick(paths)), 'https://www.example.com/a', '/a', 'http://www.example.com:80/a', 'http://[']);
        for (const method of ['isAllowed', 'isDisallowed', 'isExplicitlyDisallowed', 'getMatchingLineNumber']) {
          // Version 3.0.1 has no isExplicitlyDisallowed yet.
          const explicitly = () =>
            (other.isAllowed(url) === undefined ? undefined : !(/^.?$/.test(ua ?? '') ? other : named).isAllowed(url, ua));
          const [answer, expected] = [ours[method](url, ua), method === 'isExplicitlyDisallowed' ? explicitly() : other[method](url, ua)];
          if (method === 'getMatchingLineNumber' && answer !== expected) {
            // Several lines with the same pattern decide alike: either is the number.
            const at = (line) => text.split(/\r\n|\r|\n/)[line - 1].replace(/^\s*/, '').toLowerCase().split(':')[0].trim();
            assert.ok(answer > 0 && expected > 0 && at(answer) === at(expected), `${method} ${url} ${ua}: ${answer}, ${expected}\n${text}`);
          } else {
            assert.equal(answer, expected, `${method} ${url} ${ua}\n${text}`);
          }
          asked++;
        }
      }
    }
  }
  assert.ok(asked > 400_000, `${asked}`);
});

test('the differences in README.md', () => {
  const both = (text, method, ...args) => [robotsParser, original].map((parser) => parser(site, text)[method](...args));
  const header = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  const closed = 'User-agent: Googlebot\nDisallow: /x\n';
  assert.deepEqual(both(closed, 'isAllowed', at('/x'), header), [false, true]);
  assert.deepEqual(both(closed, 'isAllowed', at('/x'), 'GPTBot, Googlebot'), [false, true]);
  assert.deepEqual(both(closed, 'isAllowed', at('/x'), 'Googlebot-Image/1.0'), [false, true]);
  assert.deepEqual(both('User-agent: *\nDisallow: /\n', 'isAllowed', at('/'), 'AdsBot-Google'), [true, false]);
  assert.deepEqual(both('User-agent: *\nDisallow: /\n', 'isAllowed', site), [true, false]);
  assert.deepEqual(both('User-agent: a b\nDisallow: /\n', 'isAllowed', at('/'), 'a'), [false, true]);
  assert.deepEqual(both('User-agent: a\nSitemap: /s\nUser-agent: b\nDisallow: /\n', 'isAllowed', at('/'), 'a'), [false, true]);
  assert.deepEqual(both('User-agent: a\n\nUser-agent: *\nDisallow: /\n', 'isAllowed', at('/'), 'a'), [false, false]);
  assert.deepEqual(both('User-agent: *\nDisallow: /\n\nUser-agent: a\n', 'isAllowed', at('/'), 'a'), [true, false]);
  assert.deepEqual(both('User-agent: *\nDisallow: /%41\n', 'isAllowed', at('/A')), [false, true]);
  assert.deepEqual(both('User-agent: *\nCrawl-delay:\n', 'getCrawlDelay'), [undefined, 0]);
  assert.deepEqual(both('User-agent: *\nCrawl-delay: -1\n', 'getCrawlDelay'), [undefined, -1]);
});

test('odd arguments', () => {
  for (const text of [null, undefined, '']) {
    assert.equal(robotsParser(site, text).isAllowed(at('/')), true);
  }
  const closed = robotsParser(new URL(site), 'User-agent: *\nDisallow: /\n');
  for (const ua of [undefined, null, '', ' ', '-']) {
    assert.equal(closed.isAllowed(new URL('/x', site), ua), false);
  }
  for (const url of [null, undefined, '', 'mailto:x', 'javascript:0', {}, 5]) {
    assert.equal(closed.isAllowed(url, 'a'), undefined);
    assert.equal(closed.isDisallowed(url, 'a'), true);
    assert.equal(closed.getMatchingLineNumber(url, 'a'), -1);
  }
  assert.equal(robotsParser('mailto:x', 'User-agent: *\nDisallow: /\n').isAllowed('mailto:y'), undefined);
  for (const wrong of [5, {}, new Uint8Array(3)]) {
    assert.throws(() => robotsParser(site, wrong), { code: 'bad-value' });
  }
  assert.throws(() => closed.isAllowed(at('/'), 5), { code: 'bad-value' });
  assert.equal(robotsParser(site, 'User-agent: *\nDisallow: /\n' + '#é'.repeat(12_000_000)).isAllowed(at('/')), false);
  // Answers of one do not change those of another.
  const many = Array.from({ length: 2000 }, (_, i) => robotsParser(site, `User-agent: *\nDisallow: /${i}$\n`));
  many.forEach((robots, i) => assert.deepEqual([i, i + 1].map((n) => robots.isAllowed(at(`/${n}`))), [false, true]));
});
