// The whole engine, through the public API. The answers themselves are tested in Go: the same code answers the service.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, RobotsError } from '@robotsexclusion/robots/whole';

const robots = await load();
const before = 'User-agent: *\nDisallow: /a\n';
const after = 'Usr-agent: x\nUser-agent: *\nDisallow: /a\nDisallow: /a/b\nDisallow: /c\n';

/** Checks that a function throws a RobotsError with a code and a message. */
function refuses(code, message, work) {
  assert.throws(work, (error) => error instanceof RobotsError && error.code === code && message.test(error.message));
}

test('lint finds mistakes, in four languages, and fixes them', () => {
  const policy = robots.parse(after);
  const { diagnostics } = robots.lint(policy);
  const misspelt = diagnostics.find(({ check }) => check === 'misspelt-field');
  assert.equal(misspelt.line, 1);
  assert.equal(robots.apply(after, misspelt.fix), after.replace('Usr', 'User'));
  assert.match(robots.fix(policy), /^User-agent: x\n/);
  const messages = ['en', 'es', 'ko', 'ru'].map((language) => robots.lint(policy, { language }).diagnostics[0].message);
  assert.equal(new Set(messages).size, 4);
  refuses('bad-value', /profile/, () => robots.lint(policy, { profile: 'x' }));
  refuses('bad-value', /unknown field/, () => robots.lint(policy, { profil: 'strict' }));
});

test('edits count bytes, and a fix applies to a text of any characters', () => {
  const text = '# é😀\nDisalow: /é\n';
  const { diagnostics } = robots.lint(robots.parse(text));
  const { fix } = diagnostics.find(({ check }) => check === 'misspelt-field');
  assert.equal(robots.apply(text, fix), '# é😀\nDisallow: /é\n');
});

test('a text that is not UTF-8 comes back as bytes', () => {
  const fixed = robots.fix(robots.parse(Uint8Array.from(Buffer.from('Disalow: /\xff\n', 'latin1'))));
  assert.deepEqual(Buffer.from(fixed).toString('latin1').trim(), 'Disallow: /\xff');
});

test('diff says which paths a change closes, and to whom', () => {
  const { equal, changes } = robots.diff(robots.parse(before), robots.parse(after));
  assert.equal(equal, false);
  assert.deepEqual(changes.map(({ direction, witness }) => [direction, witness]), [['closed', '/c']]);
  assert.equal(robots.diff(robots.parse(before), robots.parse(before + '\n')).equal, true);
});

test('prove, minimize and format answer', () => {
  const policy = robots.parse(after);
  const { claims } = robots.prove(policy, 'Googlebot may fetch /b\nall may fetch /c\n');
  assert.deepEqual(claims.map(({ holds }) => holds), [true, false]);
  refuses('bad-value', /Googlebot/, () => robots.prove(policy, 'Googelbot may fetch /'));
  assert.ok(robots.minimize(policy).minimized < after.length);
  assert.equal(robots.format(robots.parse('user-agent:*\ndisallow:/\n')), 'User-agent: *\nDisallow: /\n');
});

test('lookup gives the robot of a header', () => {
  const policy = robots.parse('User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nAllow: /\n');
  const found = robots.lookup('Mozilla/5.0 (compatible; Googlebot-Image/1.0)');
  assert.deepEqual(found.tokens, ['Googlebot-Image', 'Googlebot']);
  assert.equal(policy.allowed('/', found), false);
  assert.equal(robots.lookup('AdsBot-Google').alone, true);
  assert.equal(robots.lookup('ExampleBot/1.0').facts.kind, 'robot');
  assert.equal(robots.lookup('Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0').facts.kind, 'browser');
  assert.ok(robots.agents().length > 500);
  assert.ok(robots.agents({ purposes: ['ai-train'] }).every(({ purposes }) => purposes.includes('ai-train')));
  refuses('bad-value', /string/, () => robots.lookup(undefined));
  refuses('bad-value', /2 robots/, () => robots.lookup('GPTBot, CCBot'));
  refuses('bad-value', /did you mean Googlebot/, () => robots.lookup('Gogglebot'));
  assert.deepEqual(robots.lookup('Gogglebot', { unknown: true }).tokens, ['Gogglebot']);
  assert.deepEqual(robots.lookup('GPTBot, CCBot', { unknown: true }).tokens, ['GPTBot']);
  refuses('bad-value', /did you mean GPTBot/, () => robots.diff(policy, policy, { agents: ['GPTBto'] }));
});

test('all known robots and fifty URLs are one call', () => {
  const policy = robots.parse('User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n');
  const agents = robots.agents();
  const all = policy.matchAll(Array.from({ length: 50 }, (_, i) => `/${i}`), agents.map(({ tokens, everyone }) => ({ tokens, alone: !everyone })));
  agents.forEach((agent, i) => assert.equal(all.allowed(49, i), !agent.tokens.includes('GPTBot'), agent.token));
});

test('page says what a page says to robots', () => {
  const html = '<title>é</title><meta name="robots" content="noindex"><a href="/x" rel="nofollow">x</a>';
  const answer = robots.page(html, { headers: new Headers({ 'X-Robots-Tag': 'Googlebot: nosnippet' }), url: 'https://example.com/y', agents: ['Googlebot'], links: true });
  assert.equal(answer.title, 'é');
  assert.equal(answer.for[0].decision.index, false);
  assert.deepEqual([answer.links.map(({ url }) => url), answer.follow], [['https://example.com/x'], [false]]);
  assert.equal(robots.page('', { headers: { 'X-Robots-Tag': 'noindex' } }).for[0].decision.index, false);
  assert.equal(robots.page('').for[0].decision.index, true);
});

test('a policy of another engine is refused', async () => {
  const { load: loadCore } = await import('@robotsexclusion/robots');
  const other = (await loadCore()).parse('');
  assert.throws(() => robots.lint(other), { code: 'no-policy' });
});
