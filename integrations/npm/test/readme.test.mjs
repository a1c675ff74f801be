// The programs of README.md, in a project that has the package: they run, and answer as their comments say.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const here = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(new URL('../node_modules/@robotsexclusion/robots/README.md', import.meta.url), 'utf8');
const programs = [...readme.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, program]) => program);

// What the programs have from their surroundings.
const around = `
import assert from 'node:assert/strict';
const header = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const request = new Request('https://example.com/search?q=shoes', { headers: { 'User-Agent': header } });
const [text, old, html] = ['User-agent: *\\nDisalow: /a\\nDisallow: /b\\n', 'User-agent: *\\n', '<meta name="robots" content="noindex">'];
const response = new Response(html, { headers: { 'X-Robots-Tag': 'nosnippet' } });
`;

for (const [i, program] of programs.entries()) {
  test(`program ${i + 1}`, (t) => {
    const checked = program.replace(/^([a-z].*);(\s*\/\/ )(true|false|\d+)\b/gm, 'assert.equal($1, $3);$2');
    const file = `${here}readme-${i}.mjs`;
    t.after(() => rmSync(file));
    writeFileSync(file, around + checked);
    execFileSync('node', [file], { cwd: here, stdio: ['ignore', 'pipe', 'pipe'] });
  });
}

test('README.md has programs with answers', () => {
  assert.ok(programs.length >= 3, `${programs.length}`);
  assert.ok(programs.join('').match(/;\s*\/\/ (true|false|\d+)\b/g).length >= 4);
});
