// All conformance vectors, through the public API.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { load } from '@robotsexclusion/robots';

const vectors = join(process.env.ROBOTS_REPOSITORY, 'conformance/vectors');
const robots = await load();
let asked = 0;

for (const profile of readdirSync(vectors)) {
  for (const file of readdirSync(join(vectors, profile))) {
    test(`${profile}/${file}`, () => {
      for (const { name, robots: text, robots_base64, asks } of JSON.parse(readFileSync(join(vectors, profile, file), 'utf8')).cases) {
        using(robots.parse(robots_base64 === undefined ? text ?? '' : Buffer.from(robots_base64, 'base64'), { dialect: profile }), (policy) => {
          const all = policy.matchAll(asks.map(({ url }) => url), asks.map(({ agent }) => agent));
          asks.forEach(({ agent, url, allowed, line }, i) => {
            const match = policy.match(url, agent);
            assert.deepEqual([match.allowed, match.line], [allowed, line], `${name}: ${agent}, ${url}`);
            assert.equal(policy.allowed(url, agent), allowed);
            assert.deepEqual(policy.explain(url, agent).match, match);
            assert.deepEqual(all.at(i, i), { allowed, reason: match.reason, line: line ?? 0 });
            asked++;
          });
        });
      }
    });
  }
}

test('there are vectors', () => assert.ok(asked > 2000, `${asked} were asked`));

/** Frees a policy after its use: Node 20 has no syntax for this. */
function using(policy, work) {
  try {
    work(policy);
  } finally {
    policy[Symbol.dispose]();
  }
}
