// The question of a server: may the visitor with this User-Agent header have this URL? No odd argument opens what a rule closes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, RobotsError } from '@robotsexclusion/robots';

const robots = await load();
const closed = 'User-agent: Googlebot\nUser-agent: ClaudeBot\nUser-agent: AdsBot-Google\nDisallow: /\n\nUser-agent: *\nAllow: /\n';
const headers = {
  Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  smartphone:
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36 ' +
    '(compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  image: 'Googlebot-Image/1.0',
  claude: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  ads: 'AdsBot-Google (+http://www.google.com/adsbot.html)',
};

test('a header gets the rules of its robot', () => {
  const policy = robots.parse(closed);
  for (const header of Object.values(headers)) {
    for (const odd of [header, ` ${header} `, header.toLowerCase(), header.toUpperCase(), `\t${header}\r\n`]) {
      assert.equal(policy.isAllowed('/', odd), false, odd);
      assert.equal(policy.isAllowed('https://example.com/x?y', odd), false, odd);
      assert.equal(policy.isAllowed('/robots.txt', odd), true, odd);
    }
  }
  for (const header of ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'curl/8.5.0', 'ExampleBot', '*', ['ExampleBot']]) {
    assert.equal(policy.isAllowed('/', header), true, String(header));
  }
});

test('a name of several robots is that of none, and does not throw', () => {
  const policy = robots.parse(closed);
  for (const header of ['claude', ' OpenAI ', 'gpt', 'ai-train', 'claude, x']) {
    assert.equal(policy.isAllowed('/', header), false, header);
    assert.equal(policy.isAllowed('/robots.txt', header), true, header);
    assert.equal(robots.allowAll().isAllowed('/', header), true, header);
  }
});

test('a header gets the rules of its robot in all dialects', () => {
  for (const dialect of ['google', 'koster1994', 'koster1996', 'kollar1996']) {
    const policy = robots.parse(closed, { dialect });
    for (const header of Object.values(headers)) {
      assert.equal(policy.isAllowed('/', header), false, `${dialect}: ${header}`);
    }
    assert.equal(policy.isAllowed('/', 'GPTBot, Mozilla/5.0 (compatible; Googlebot/2.1)'), false, dialect);
  }
});

test('a visitor without a name may fetch nothing that a rule could close', () => {
  const policies = [closed, 'User-agent: Googlebot\nDisallow: /\n', 'User-agent: *\nDisallow: /\n', 'User-agent: *\nAllow: /\n', ''].map((text) => robots.parse(text));
  const nameless = [null, undefined, '', ' ', '\t\r\n', '-', '--', '()', '\0', '\ufeff', '\u200b', ',', ';,;', [], [''], ['-', ' '], { tokens: [] }, { tokens: [''], alone: true }];
  for (const policy of [...policies, robots.disallowAll()]) {
    for (const agent of nameless) {
      assert.equal(policy.isAllowed('/', agent), false, JSON.stringify(agent));
      assert.equal(policy.isAllowed('not a url', agent), false);
      assert.equal(policy.isAllowed('/robots.txt', agent), true, JSON.stringify(agent));
    }
  }
  // Without a robots.txt there are no rules, for nobody.
  for (const agent of nameless) {
    assert.equal(robots.allowAll().isAllowed('/', agent), true);
  }
  // The header of a request without one, as Node and the web give it.
  assert.equal(policies[0].isAllowed('/', new Headers().get('User-Agent')), false);
  assert.equal(policies[0].isAllowed('/', { host: 'example.com' }['user-agent']), false);
});

test('a header with several robots is allowed what each of them is', () => {
  const policy = robots.parse(closed);
  for (const [text, allowed] of [
    ['GPTBot, CCBot', true],
    ['GPTBot, Googlebot', false],
    ['Googlebot,GPTBot', false],
    ['GPTBot;Googlebot', false],
    ['curl/8, Googlebot-Image/1.0', false],
    ['GPTBot,', true],
    [',Googlebot,,', false],
    ['Mozilla/5.0 (compatible; GPTBot/1.0), Mozilla/5.0 (compatible; Googlebot/2.1)', false],
    ['Mozilla/5.0 (compatible; Googlebot/2.1),gzip(gfe)', false],
    ['Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129 Safari/537.36,gzip(gfe)', true],
  ]) {
    assert.equal(policy.isAllowed('/', text), allowed, text);
  }
});

test('no text of a visitor throws', () => {
  const policies = ['rfc9309', 'google', 'koster1996'].map((dialect) => robots.parse(closed, { dialect }));
  const parts = ['Mozilla/5.0 (', 'Googlebot', ',', ';', '(', ')', ':', '/', '\0', '\ud800', 'é', ' ', '*', '-', '$', '__proto__', 'http://x', '\n'];
  let seed = 1;
  const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 3000; i++) {
    const header = Array.from({ length: next(9) }, () => parts[next(parts.length)]).join('');
    for (const policy of policies) {
      assert.equal(typeof policy.isAllowed('/x', header), 'boolean', JSON.stringify(header));
    }
  }
  assert.equal(policies[0].isAllowed('/', 'x'.repeat(1_000_000)), true);
  assert.equal(policies[0].isAllowed('/', 'x,'.repeat(3_000)), true);
  assert.equal(policies[0].isAllowed('/', Array.from({ length: 3_000 }, (_, i) => `x${i}`).join()), false); // nobody has so many names
});

test('an agent that is neither a text nor a robot is refused', () => {
  const policy = robots.parse(closed);
  for (const wrong of [5, 0, false, true, {}, { tokens: null }, { tokens: 'Googlebot' }, [5], new Headers(), () => '', Symbol('x')]) {
    assert.throws(() => policy.isAllowed('/', wrong), (error) => error instanceof RobotsError && error.code === 'bad-value', typeof wrong);
  }
  for (const wrong of [null, undefined, 5, {}]) {
    assert.throws(() => policy.isAllowed(wrong, 'ExampleBot'), { code: 'bad-value' });
  }
});
