// Tests of the example, in a real Express and in a bare server of Node.

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { test } from 'node:test';

import express from 'express';

import { robotsMiddleware } from './robots-middleware.mjs';

const robotsTxt = Buffer.from('User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: AdsBot-Google\nDisallow: /<ads>\n');
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

/** Starts a server with a handler, and returns a function that asks for a path as a program. */
async function serve(t, handler) {
  const server = createServer(handler);
  await new Promise((started) => server.listen(0, '127.0.0.1', started));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return (path, agent, method = 'GET') =>
    new Promise((answered, failed) => {
      const headers = agent === undefined ? {} : { 'User-Agent': agent };
      request({ port: server.address().port, host: '127.0.0.1', path, method, headers, agent: false }, (res) => {
        let body = '';
        res.setEncoding('utf8').on('data', (part) => (body += part)).on('end', () => answered({ status: res.statusCode, headers: res.headers, body }));
      }).on('error', failed).end();
    });
}

test('Express refuses what robots.txt disallows, to robots only', async (t) => {
  const app = express();
  app.use(await robotsMiddleware({ robotsTxt }));
  app.get('/robots.txt', (req, res) => res.type('text').send(robotsTxt));
  app.use((req, res) => res.send(req.robots === undefined ? 'a person' : req.robots.robot.facts.token));
  const ask = await serve(t, app);
  for (const [path, agent, status] of [
    ['/', firefox, 200],
    ['/private/x', firefox, 200],
    ['/private/x', undefined, 200],
    ['/', 'GPTBot/1.0', 403],
    ['/', 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)', 403],
    ['/robots.txt', 'GPTBot/1.0', 200],
    ['/a', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 200],
    ['/private/x?y', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 403],
    ['/%70rivate/x', 'ExampleBot/1.0', 403],
    ['/private/x', 'AdsBot-Google (+http://www.google.com/adsbot.html)', 200], // it does not obey the group for everyone
    ['/private/x', 'x'.repeat(10_000), 200],
    ['//private/x', 'ExampleBot/1.0', 403],
  ]) {
    const answer = await ask(path, agent);
    assert.equal(answer.status, status, `${path} for ${agent?.slice(0, 100)}: ${answer.body}`);
  }
  const refused = await ask('/<ads><script>', 'AdsBot-Google');
  assert.equal(refused.status, 403);
  assert.equal(refused.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(refused.headers['x-content-type-options'], 'nosniff');
});

test('a path at which the middleware is mounted counts too', async (t) => {
  const app = express();
  app.use('/private', await robotsMiddleware({ robotsTxt }));
  app.use((req, res) => res.send('page'));
  const ask = await serve(t, app);
  assert.equal((await ask('/private/x', 'ExampleBot/1.0')).status, 403);
});

test('observe refuses nothing, and says what would be', async (t) => {
  const app = express();
  app.use(await robotsMiddleware({ robotsTxt, observe: true }));
  app.use((req, res) => res.json(req.robots?.match ?? null));
  const ask = await serve(t, app);
  assert.deepEqual(JSON.parse((await ask('/', 'GPTBot/1.0')).body), { allowed: false, reason: 'rule', line: 5, rule: 'Disallow: /' });
});

test('a bare server of Node does the same', async (t) => {
  const middleware = await robotsMiddleware({ robotsTxt });
  const ask = await serve(t, (req, res) => middleware(req, res, () => res.end('page')));
  const refused = await ask('/x', 'GPTBot/1.0');
  assert.equal(refused.status, 403);
  assert.equal(refused.body, '403 Forbidden\n\nThis site\'s robots.txt disallows "/x" to the robot "GPTBot": line 5, "Disallow: /". The rules are at /robots.txt on this host.\n');
  assert.equal((await ask('*', 'GPTBot/1.0', 'OPTIONS')).status, 200);
});

test('headers of strangers do not fill the memory', async () => {
  const middleware = await robotsMiddleware({ robotsTxt });
  let passed = 0;
  for (let i = 0; i < 25_000; i++) {
    middleware({ headers: { 'user-agent': `Example${i} ${firefox}` }, url: '/' }, {}, () => passed++);
  }
  assert.equal(passed, 25_000);
});
