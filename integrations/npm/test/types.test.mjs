// Programs in TypeScript, strict and with the libraries checked: with the types of browsers, of Node, and of neither.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const modules = join(process.env.ROBOTS_REPOSITORY, 'integrations/npm/node_modules');
const here = fileURLToPath(new URL('..', import.meta.url));
const program = `
import { load, RobotsError, type Policy } from '@robotsexclusion/robots';
import { load as whole, type Report } from '@robotsexclusion/robots/whole';
import robotsParser, { type Robot } from '@robotsexclusion/robots/robots-parser';

const policy: Policy = (await load()).parse('User-agent: *\\n');
const header = null as string | null | undefined;
export const yes: boolean = policy.isAllowed('/x', header) || policy.isAllowed({ href: 'https://x.example/' }, ['a']) || policy.allowed('/x');
// @ts-expect-error a robot that is not there is a mistake
policy.allowed('/x', undefined);
// @ts-expect-error and so is a header that may be missing
policy.match('/x', header);
// @ts-expect-error a URL is a text, or has href
policy.isAllowed(5, 'a');
// @ts-expect-error the agent is said, even if it is null
policy.isAllowed('/x');
export const robot: Robot = robotsParser('https://x.example/robots.txt', '');
export const delay: number | undefined = robot.getCrawlDelay();
policy[Symbol.dispose]();
export const report: Report = (await whole()).lint(policy, { profile: 'strict' });
export { RobotsError };
`;
const browser = `
import { load } from '@robotsexclusion/robots';
const policy = (await load({ module: fetch('/core.wasm') })).parse(new Uint8Array());
export const yes: boolean = policy.isAllowed(new URL('https://x.example/'), new Headers().get('User-Agent'));
`;
const required = `
import robotsParser = require('@robotsexclusion/robots/robots-parser');
export const x: boolean | undefined = robotsParser('https://x.example/robots.txt', '').isAllowed('https://x.example/', 'a');
`;

test('types are strict, and need no library', (t) => {
  const folder = mkdtempSync(join(here, 'types-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ 'program.ts': program, 'browser.ts': browser, 'required.cts': required })) {
    writeFileSync(join(folder, name), text);
  }
  for (const [options, files] of [
    [{ lib: ['es2022'], types: [] }, ['program.ts', 'required.cts']],
    [{ lib: ['es2022', 'dom'], types: [] }, ['program.ts', 'browser.ts', 'required.cts']],
    [{ lib: ['es2022'], types: ['node'], typeRoots: [join(modules, '@types')] }, ['program.ts', 'required.cts']],
    [{ lib: ['es2022', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' }, ['program.ts', 'browser.ts']],
  ]) {
    const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, ...options };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { status, stdout } = spawnSync('node', [join(modules, 'typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
    assert.equal(status, 0, `${JSON.stringify(options)}\n${stdout}`);
  }
});
