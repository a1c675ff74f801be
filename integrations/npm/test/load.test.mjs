// How the package is found and loaded.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import { load, Policy, Robots, RobotsError, Verdicts } from '@robotsexclusion/robots';

const path = (name) => fileURLToPath(import.meta.resolve(name));

test('the second load gives the same engine, and one of a module is new', async () => {
  const robots = await load();
  assert.equal(await load(), robots);
  const bytes = readFileSync(path('@robotsexclusion/robots/core.wasm'));
  const module = await WebAssembly.compile(bytes);
  for (const given of [module, bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)]) {
    const other = await load({ module: given });
    assert.notEqual(other, robots);
    assert.equal(other.parse('User-agent: *\nDisallow: /').allowed('/'), false);
  }
  assert.ok(robots instanceof Robots && robots.parse('') instanceof Policy && robots.parse('').matchAll([]) instanceof Verdicts);
});

test('a response is compiled, whatever its media type, and a failure says what failed', async (t) => {
  const bytes = readFileSync(path('@robotsexclusion/robots/core.wasm'));
  const server = createServer((req, res) => {
    res.writeHead(req.url === '/none' ? 404 : 200, { 'Content-Type': req.url === '/right' ? 'application/wasm' : 'text/plain' });
    res.end(bytes);
  });
  await new Promise((started) => server.listen(0, '127.0.0.1', started));
  t.after(() => server.closeAllConnections() ?? server.close());
  const at = (name) => fetch(`http://127.0.0.1:${server.address().port}/${name}`);
  for (const name of ['right', 'wrong']) {
    assert.equal((await load({ module: at(name) })).parse('').allowed('/'), true);
  }
  await assert.rejects(load({ module: at('none') }), (error) => error instanceof RobotsError && /404/.test(error.message));
  await assert.rejects(load({ module: new Uint8Array(10) }), WebAssembly.CompileError);
});

test('the package has types, its licence, and nothing but what it needs', () => {
  const files = execFileSync('find', [path('@robotsexclusion/robots/package.json').replace(/package\.json$/, ''), '-type', 'f'], { encoding: 'utf8' });
  for (const name of ['LICENSE', 'README.md', 'dist/core.node.d.ts', 'dist/whole.wasm']) {
    assert.match(files, new RegExp(`/${name}$`, 'm'));
  }
  assert.doesNotMatch(files, /\.mjs$|node_modules\/@robotsexclusion\/robots\/(src|test)\//m);
});

test('the engine needs no code from strings', () => {
  const script = `import { load } from '@robotsexclusion/robots'; console.log((await load()).parse('').allowed('/'))`;
  const out = execFileSync('node', ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  assert.equal(out, 'true\n');
});
