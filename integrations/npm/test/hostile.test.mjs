// Input that nobody should give, and memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, RobotsError } from '@robotsexclusion/robots';
import { load as loadWhole } from '@robotsexclusion/robots/whole';

const robots = await load();
const whole = await loadWhole();

/** Checks that a function throws a RobotsError with a code, and that its message says something. */
function refuses(code, work) {
  assert.throws(work, (error) => error instanceof RobotsError && error.code === code && error.message.length > 10);
}

test('the bytes of a text are taken as they are', () => {
  const bytes = Uint8Array.from(Buffer.from('User-agent: *\nDisallow: /\xff\nDisallow: /\x00a\n', 'latin1'));
  const policy = robots.parse(bytes);
  assert.equal(policy.allowed('/%FF'), false);
  assert.equal(policy.allowed('/\ufffd'), true);
  assert.equal(policy.allowed('/%00a'), false);
  // A view of a part of a buffer gives the part only.
  assert.equal(robots.parse(new Uint8Array(bytes.buffer, 0, 14)).allowed('/%FF'), true);
  assert.equal(robots.parse('\ufeffUser-agent: *\nDisallow: /\n').allowed('/'), false);
});

test('half a surrogate pair becomes U+FFFD, also at the edges of two URLs', () => {
  const policy = robots.parse('User-agent: *\nDisallow: /\ud800\nDisallow: /😀\n');
  for (const url of ['/\ud800', '/\udfff', '/\ufffd', '/%EF%BF%BD']) {
    assert.equal(policy.allowed(url), false, JSON.stringify(url));
  }
  const urls = ['/\ud83d', '\ude00', '/😀', '/a\ud83d', '\ude00/', '/b', ''];
  const all = policy.matchAll(urls);
  urls.forEach((url, i) => assert.equal(all.allowed(i), policy.allowed(url), JSON.stringify(url)));
  assert.equal(all.at(1).reason, 'not-a-url');
});

test('NUL and other control characters are characters', () => {
  const policy = robots.parse('User-agent: a\0b\nDisallow: /\n');
  assert.equal(typeof policy.allowed('/\0\x1b[2J\u202e', '\0["x"]'), 'boolean');
  assert.equal(policy.allowed('/', 'a\0b'), robots.parse('User-agent: a\0b\nDisallow: /\n').allowed('/', ['a\0b']));
  // No text is the robot of a list, and none with a comma is one robot, also after the list was asked about.
  policy.match('/', ['a']);
  policy.match('/', { tokens: ['a'] });
  for (const text of ['\0[null,["a"]]', '\0[false,["a"]]', '[null,["a"]]']) {
    refuses('bad-value', () => policy.match('/', text));
    refuses('bad-value', () => policy.allowed('/', text));
    refuses('bad-value', () => policy.matchAll(['/'], ['a', text]));
  }
  // What stands around a name does not open the group of the name.
  const closed = robots.parse('User-agent: ExampleBot\nDisallow: /\n');
  for (const text of ['\0ExampleBot', 'ExampleBot\0', '\tExampleBot\r\n', '\x1bExampleBot', '\x7fExampleBot\x7f', 'ExampleBot\0/1.0', 'x\0ExampleBot']) {
    assert.equal(closed.allowed('/', text), false, JSON.stringify(text));
  }
  assert.equal(policy.facts('a\0b').group, robots.parse('User-agent: a\0b\nDisallow: /\n').facts(['a\0b']).group);
});

test('robots are names, lists of names, and objects', () => {
  const policy = robots.parse('User-agent: Googlebot\nDisallow: /g\nUser-agent: *\nDisallow: /\n');
  assert.equal(policy.allowed('/', 'Bot'), false);
  // Googlebot-Image obeys the group of Googlebot if it has none.
  for (const image of ['Googlebot-Image', ' Googlebot-Image\n', 'Googlebot-Image/1.0', ['Googlebot-Image'], { tokens: ['Googlebot-Image'] }]) {
    assert.equal(policy.allowed('/', image), true, JSON.stringify(image));
    assert.equal(policy.allowed('/g', image), false, JSON.stringify(image));
  }
  assert.equal(policy.allowed('/', ['Googlebot-Image', 'Googlebot']), true);
  assert.equal(policy.allowed('/', { tokens: ['AdsBot-Google'], alone: true }), true);
  assert.equal(policy.allowed('/', { tokens: ['AdsBot-Google'], alone: false }), false);
  assert.equal(policy.allowed('/', { tokens: ['AdsBot-Google'] }), false);
  assert.equal(policy.allowed('/', ['AdsBot-Google']), true);
  assert.equal(policy.allowed('/', 'AdsBot-Google'), true);
  assert.equal(policy.allowed('/', []), false);
  assert.equal(policy.allowed('/'), false);
  for (const wrong of [null, undefined, 5, true, {}, { tokens: 'x' }, { tokens: null }, [5], { tokens: [null] }, () => 'Bot']) {
    refuses('bad-value', () => policy.allowed('/', wrong));
    refuses('bad-value', () => policy.match('/', wrong));
    refuses('bad-value', () => policy.explain('/', wrong));
    refuses('bad-value', () => policy.facts(wrong));
    refuses('bad-value', () => policy.matchAll(['/'], [wrong]));
  }
  for (const wrong of [null, 5, 'Bot', {}]) {
    refuses('bad-value', () => policy.matchAll(['/'], wrong));
    refuses('bad-value', () => policy.matchAll(wrong));
  }
  for (const several of ['Googlebot,Bot', 'Googlebot, Bot', ['Googlebot,Bot'], ['x', 'Googlebot,Bot'], { tokens: ['Googlebot,Bot'], alone: true }]) {
    refuses('bad-value', () => policy.match('/', several));
    refuses('bad-value', () => policy.matchAll(['/'], [several]));
  }
});

test('a text that is not a URL is refused, and the message says what to write', () => {
  const policy = robots.parse('');
  for (const url of ['', 'private/x', '//x', 'mailto:a@b', 'javascript:alert(1)', '\ud800']) {
    refuses('bad-url', () => policy.match(url));
    refuses('bad-url', () => policy.explain(url));
    assert.equal(policy.allowed(url), false);
    assert.deepEqual(policy.matchAll([url]).at(0), { allowed: false, reason: 'not-a-url', line: 0 });
  }
  assert.throws(() => policy.match('private/x'), /write "\/private\/x"/);
  for (const wrong of [undefined, null, 5, {}, { href: 5 }]) {
    refuses('bad-value', () => policy.match(wrong));
    refuses('bad-value', () => policy.allowed(wrong));
    refuses('bad-value', () => policy.matchAll([wrong]));
  }
});

test('a URL may be an object', () => {
  const policy = robots.parse('User-agent: *\nDisallow: /search\n');
  const closed = new URL('https://example.com/search?q=é#top');
  const open = new URL('/other', closed);
  for (const [url, allowed] of [[closed, false], [open, true], [new Request(closed).url, false]]) {
    assert.equal(policy.allowed(url), allowed);
    assert.equal(policy.match(url).allowed, allowed);
    assert.equal(policy.explain(url).match.allowed, allowed);
    assert.equal(policy.isAllowed(url, 'ExampleBot'), allowed);
    assert.equal(policy.matchAll([url]).allowed(0), allowed);
  }
  refuses('bad-url', () => policy.match(new URL('mailto:a@example.com')));
  assert.equal(policy.isAllowed(new URL('mailto:a@example.com'), 'ExampleBot'), false);
});

test('wrong texts and dialects are refused', () => {
  for (const wrong of [undefined, null, 5, {}, new ArrayBuffer(3), Promise.resolve('')]) {
    refuses('bad-value', () => robots.parse(wrong));
  }
  refuses('bad-value', () => robots.parse('', { dialect: 'rfc' }));
  refuses('too-large', () => robots.parse('x'.repeat(16 * 1024 * 1024 + 1)));
  refuses('too-large', () => robots.parse('é'.repeat(9 * 1024 * 1024)));
  refuses('too-large', () => robots.parse(new Uint8Array(17 * 1024 * 1024)));
  refuses('too-large', () => robots.parse('').match('/' + 'x'.repeat(30 * 1024 * 1024)));
});

test('large texts and long URLs are answered', () => {
  const text = 'User-agent: *\n' + 'Disallow: /x*y*z$\n'.repeat(200_000);
  const policy = robots.parse(text);
  assert.equal(policy.match('/x/y/z').line, 2);
  assert.equal(policy.match('/' + 'x'.repeat(1_000_000)).reason, 'no-rule');
  policy.free();
});

test('a policy that was freed is refused, and freeing twice is nothing', () => {
  const policy = robots.parse('User-agent: *\nDisallow: /\n');
  policy.free();
  policy.free();
  robots.parse('').match('/'); // takes no place of another
  for (const work of [() => policy.match('/'), () => policy.allowed('/'), () => policy.matchAll([]), () => policy.explain('/'), () => policy.facts()]) {
    refuses('no-policy', work);
  }
  refuses('no-policy', () => whole.lint(policy));
  refuses('no-policy', () => whole.lint(robots.parse('')));
});

test('more robots than are kept are answered', () => {
  const policy = robots.parse('User-agent: Bot7\nDisallow: /\n');
  const names = Array.from({ length: 3500 }, (_, i) => `Bot${i}`);
  const all = policy.matchAll(['/'], names);
  assert.deepEqual([...all.codes].map((code, i) => (code & 1 ? -1 : i)).filter((i) => i >= 0), [7]);
  names.forEach((name, i) => assert.equal(policy.allowed('/', name), i !== 7));
  assert.equal(policy.matchAll(['/'], Array(3).fill('Bot7')).allowed(0, 2), false);
});

test('many URLs are answered in pieces', () => {
  const policy = robots.parse('User-agent: *\nDisallow: /7\n');
  const urls = Array.from({ length: 300_000 }, (_, i) => `/${i}`);
  const all = policy.matchAll(urls, ['a', 'b', 'c', 'd', 'e']);
  for (const i of [0, 7, 77, 170_000, 70_000, 299_999]) {
    assert.equal(all.allowed(i, 4), !String(i).startsWith('7'));
  }
  assert.throws(() => all.at(300_000), RangeError);
  assert.throws(() => all.at(0, 5), RangeError);
  assert.equal(policy.matchAll([]).codes.length, 0);
  assert.equal(policy.matchAll(['/'], []).codes.length, 0);
});

test('memory does not grow with policies that come and go', async () => {
  const own = await load({ module: await wasm('core') });
  const text = 'User-agent: *\n' + 'Disallow: /some/path/of/a/site\n'.repeat(500);
  const round = () => {
    for (let i = 0; i < 5000; i++) {
      const policy = own.parse(text);
      policy.match('/x', `Bot${i % 10}`);
      policy.free();
    }
  };
  round();
  const before = own.memory;
  round();
  assert.equal(own.kept, 0);
  assert.ok(own.memory <= before * 1.25, `${before} bytes, then ${own.memory}`);
  assert.ok(own.memory < 100e6, `${own.memory} bytes`);
});

test('policies that the program drops are freed', { skip: globalThis.gc === undefined }, async () => {
  const own = await load({ module: await wasm('core') });
  for (let i = 0; i < 10_000; i++) {
    own.parse(`User-agent: *\nDisallow: /${i}\n`);
  }
  for (let i = 0; i < 600 && own.kept > 100; i++) {
    gc();
    await new Promise((later) => setTimeout(later, 100));
  }
  assert.ok(own.kept <= 100, `${own.kept} are kept`);
});

test('objects with names of Object.prototype harm nothing', () => {
  const policy = robots.parse('User-agent: __proto__\nDisallow: /\n');
  assert.equal(policy.allowed('/', '__proto__'), false);
  assert.equal(policy.allowed('/', 'constructor'), true);
});

/** The bytes of an engine, from the package. */
async function wasm(name) {
  const { readFile } = await import('node:fs/promises');
  return readFile(new URL(import.meta.resolve(`@robotsexclusion/robots/${name}.wasm`)));
}
