// Tests of the example, against real servers on this machine.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { DisallowedError, fetchThatObeys } from './fetch-that-obeys.mjs';

/** Starts a server that answers with a function, and lists the paths that it was asked for. */
async function serve(t, answer) {
  const asked = [];
  const server = createServer((req, res) => {
    asked.push(req.url);
    req.resume();
    answer(req, res);
  });
  await new Promise((started) => server.listen(0, '127.0.0.1', started));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return { origin: `http://127.0.0.1:${server.address().port}`, asked };
}

const userAgent = 'ExampleBot/1.0 (+https://example.com/bot)';

test('a request that robots.txt disallows is not made', async (t) => {
  const { origin, asked } = await serve(t, (req, res) => {
    assert.equal(req.headers['user-agent'], userAgent);
    res.end(req.url === '/robots.txt' ? 'User-agent: ExampleBot\nDisallow: /private/\nCrawl-delay: 3\n' : 'page');
  });
  const obey = await fetchThatObeys({ userAgent });
  assert.equal(await (await obey(`${origin}/a`)).text(), 'page');
  await assert.rejects(obey(`${origin}/private/x`), (error) => error instanceof DisallowedError && error.match.line === 2);
  assert.equal(await obey.crawlDelay(`${origin}/a`), 3);
  assert.deepEqual(asked, ['/robots.txt', '/a']);
});

test('many requests ask for robots.txt once, and again after 24 hours', async (t) => {
  const { origin, asked } = await serve(t, (req, res) => res.end(req.url === '/robots.txt' ? '' : 'page'));
  let time = 0;
  const obey = await fetchThatObeys({ userAgent, now: () => time });
  await Promise.all(Array.from({ length: 50 }, (_, i) => obey(`${origin}/${i}`)));
  time += 24 * 60 * 60 * 1000 - 1;
  await obey(`${origin}/x`);
  assert.equal(asked.filter((path) => path === '/robots.txt').length, 1);
  time += 1;
  await obey(`${origin}/x`);
  assert.equal(asked.filter((path) => path === '/robots.txt').length, 2);
});

for (const [status, allowed] of [[404, true], [401, true], [403, true], [410, true], [429, false], [500, false], [503, false]]) {
  test(`a robots.txt that is answered by ${status} ${allowed ? 'allows everything' : 'allows nothing'}`, async (t) => {
    const { origin, asked } = await serve(t, (req, res) => {
      res.statusCode = req.url === '/robots.txt' ? status : 200;
      res.end('Disallow: /');
    });
    const obey = await fetchThatObeys({ userAgent });
    if (allowed) {
      assert.equal((await obey(`${origin}/x`)).status, 200);
    } else {
      await assert.rejects(obey(`${origin}/x`), { name: 'DisallowedError' });
      assert.deepEqual(asked, ['/robots.txt']);
    }
  });
}

test('a site that nobody reaches allows nothing, and is asked again after a minute', async (t) => {
  const site = await serve(t, (req, res) => (works ? res.end('') : req.socket.destroy()));
  let works = false;
  let time = 0;
  const obey = await fetchThatObeys({ userAgent, now: () => time });
  await assert.rejects(obey(`${site.origin}/x`), { name: 'DisallowedError' });
  works = true;
  await assert.rejects(obey(`${site.origin}/x`), { name: 'DisallowedError' });
  time += 60_000;
  assert.equal((await obey(`${site.origin}/x`)).status, 200);
});

test('while robots.txt is unreachable, the last one counts', async (t) => {
  let works = true;
  const { origin } = await serve(t, (req, res) => {
    res.statusCode = works || req.url !== '/robots.txt' ? 200 : 503;
    res.end(works ? 'User-agent: *\nDisallow: /private/' : '');
  });
  let time = 0;
  const obey = await fetchThatObeys({ userAgent, now: () => time });
  await obey(`${origin}/a`);
  works = false;
  time += 48 * 60 * 60 * 1000;
  assert.equal((await obey(`${origin}/a`)).status, 200);
  await assert.rejects(obey(`${origin}/private/a`), (error) => error.match.reason === 'rule');
});

test('redirects of robots.txt are followed five times, also to other hosts', async (t) => {
  const other = await serve(t, (req, res) => res.end('User-agent: *\nDisallow: /x'));
  let hops = 4;
  const { origin, asked } = await serve(t, (req, res) => {
    const [, n = '0'] = /^\/hop(\d+)$/.exec(req.url) ?? [];
    if (req.url === '/robots.txt' || Number(n) > 0) {
      const next = req.url === '/robots.txt' ? hops : Number(n) - 1;
      res.writeHead(302, { Location: next > 0 ? `/hop${next}` : other.origin + '/robots.txt' });
    }
    res.end();
  });
  await assert.rejects((await fetchThatObeys({ userAgent }))(`${origin}/x`), { name: 'DisallowedError' });
  assert.equal(asked.length, 5);
  hops = 5; // and the sixth to the other host
  assert.equal((await (await fetchThatObeys({ userAgent }))(`${origin}/x`)).status, 200);
});

test('a redirect is followed only where robots.txt allows its target', async (t) => {
  const other = await serve(t, (req, res) => {
    assert.equal(req.headers.authorization, undefined);
    res.end(req.url === '/robots.txt' ? 'User-agent: *\nDisallow: /closed' : 'other');
  });
  const { origin } = await serve(t, (req, res) => {
    if (req.url !== '/robots.txt') {
      res.writeHead(301, { Location: other.origin + req.url });
    }
    res.end();
  });
  const obey = await fetchThatObeys({ userAgent });
  assert.equal(await (await obey(`${origin}/open`, { headers: { Authorization: 'Bearer x' } })).text(), 'other');
  await assert.rejects(obey(`${origin}/closed`), { name: 'DisallowedError' });
  assert.ok(!other.asked.includes('/closed'));
  assert.equal((await obey(`${origin}/closed`, { method: 'POST', body: 'x' })).status, 301);
});

test('only the first 500 KiB count, and an endless robots.txt ends', async (t) => {
  const { origin } = await serve(t, (req, res) => {
    if (req.url !== '/robots.txt') {
      res.end('page');
      return;
    }
    res.write('User-agent: *\nDisallow: /early\n#');
    res.write('x'.repeat(500 * 1024) + '\nDisallow: /late\n');
    const endless = setInterval(() => res.write('#'.repeat(1000)), 1);
    res.on('close', () => clearInterval(endless));
  });
  const obey = await fetchThatObeys({ userAgent });
  assert.equal((await obey(`${origin}/late`)).status, 200);
  await assert.rejects(obey(`${origin}/early`), { name: 'DisallowedError' });
});

test('a robots.txt is bytes', async (t) => {
  const { origin } = await serve(t, (req, res) => res.end(Buffer.from('User-agent: *\nDisallow: /\xff\n', 'latin1')));
  const obey = await fetchThatObeys({ userAgent });
  await assert.rejects(obey(`${origin}/%FF`), { name: 'DisallowedError' });
  assert.equal((await obey(`${origin}/%EF%BF%BD`)).status, 200);
});

test('wrong arguments say what to do', async () => {
  for (const wrong of [undefined, '', '(x)', 1]) {
    await assert.rejects(fetchThatObeys({ userAgent: wrong }), /product token/);
  }
  const obey = await fetchThatObeys({ userAgent });
  await assert.rejects(obey('file:///etc/passwd'), /http/);
});
