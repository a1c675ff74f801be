#!/usr/bin/env node
// Prints the User-Agent headers of other projects' tests, a JSON object a line:
// {"list": name, "kind": "robots", "browsers" or "apps", "header": text}. The lists
// are those of npm packages, and, if node headers.mjs FOLDER names a folder with
// checkouts of isbot, ua-parser-js, bowser, device-detector, and user-agents-v2 of the Open
// Podcast Analytics Working Group, those that are only there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import YAML from 'yaml';

const require = createRequire(import.meta.url);
const text = (...path) => readFileSync(join(...path), 'utf8');
const json = (...path) => JSON.parse(text(...path));
const yaml = (...path) => YAML.parse(text(...path), { logLevel: 'silent' });

// root returns the folder of a package, which need not export its files.
function root(name) {
  const path = require.resolve.paths(name).map((p) => join(p, name)).find((p) => existsSync(p));
  if (!path) {
    throw new Error(`${name} is not installed: run "npm ci" in oracle/npm`);
  }
  return path;
}

function print(list, kind, headers) {
  for (const header of new Set([...headers].filter((h) => h))) {
    console.log(JSON.stringify({ list, kind, header: header.replaceAll(/[\r\n]/g, ' ') }));
  }
}

// strings returns all strings below a value.
function* strings(value) {
  if (typeof value === 'string') {
    yield value;
  } else if (value && typeof value === 'object') {
    for (const v of Object.values(value)) {
      yield* strings(v);
    }
  }
}

// agents returns the members "ua" of all objects below a value, but not of those
// that the list itself calls bots.
function* agents(value) {
  if (value && typeof value === 'object' && value.spec?.platform?.type !== 'bot') {
    if (typeof value.ua === 'string') {
      yield value.ua;
    }
    for (const v of Object.values(value)) {
      yield* agents(v);
    }
  }
}

const woothee = join(root('woothee'), 'woothee', 'testsets');
for (const file of readdirSync(woothee).sort()) {
  const set = file.replace('.yaml', '');
  // "misc" has libraries and readers of feeds, and "blank" has nothing.
  const kind = /^(crawler|misc)/.test(set) ? 'robots' : 'browsers';
  print(`woothee ${kind}`, kind, yaml(woothee, file).map((test) => test.target));
}
const parser = join(root('ua-parser-js'), 'test');
for (const [set, kind] of [['browser', 'browsers'], ['device', 'browsers'], ['os', 'browsers'], ['mediaplayer', 'apps']]) {
  print(`ua-parser-js 1.0 ${set}`, kind, agents(json(parser, `${set}-test.json`)));
}
print('user-agents', 'browsers', json(dirname(require.resolve('user-agents')), 'user-agents.json').map((u) => u.userAgent));

const folder = process.argv[2];
if (folder) {
  const isbot = join(folder, 'isbot', 'fixtures');
  print('isbot browsers', 'browsers', strings(yaml(isbot, 'browsers.yml')));
  print('isbot crawlers', 'robots', strings(yaml(isbot, 'crawlers.yml')));
  print('isbot, matomo', 'robots', strings(json(isbot, 'downloaded', 'matomo-org.json')));
  const data = join(folder, 'ua-parser-js', 'test', 'data', 'ua');
  print('ua-parser-js browser', 'browsers', agents(json(data, 'browser', 'browser-all.json')));
  for (const set of ['device', 'os']) {
    print(`ua-parser-js ${set}`, 'browsers', readdirSync(join(data, set)).sort().flatMap((f) => [...agents(json(data, set, f))]));
  }
  for (const [set, kind] of [['inapp', 'browsers'], ['vehicle', 'browsers'], ['email', 'apps'], ['mediaplayer', 'apps'], ['crawler', 'robots'], ['fetcher', 'robots'], ['library', 'robots']]) {
    print(`ua-parser-js ${set}`, kind, agents(json(data, 'extension', `${set}.json`)));
  }
  print('bowser', 'browsers', agents(yaml(folder, 'bowser', 'test', 'acceptance', 'useragentstrings.yml')));

  // The files of device-detector have one header a line. Reading all their YAML takes a minute.
  const tests = join(folder, 'device-detector', 'Tests');
  const sets = new Map();
  for (const path of ['fixtures', join('Parser', 'Client', 'fixtures'), join('Parser', 'Device', 'fixtures')]) {
    for (const file of readdirSync(join(tests, path)).sort()) {
      const set = file.replace(/(-\d+)?\.yml$/, '').replace(/^mobile_apps$/, 'mobile_app');
      const found = sets.get(set) ?? [];
      for (const [, scalar] of text(tests, path, file).matchAll(/^ *(?:- )?user_agent: *(.*)$/gm)) {
        found.push(String(YAML.parse(scalar)));
      }
      sets.set(set, found);
    }
  }
  const podcasts = join(folder, 'user-agents-v2', 'build');
  for (const [set, kind] of [['apps', 'apps'], ['browsers', 'browsers'], ['bots', 'robots'], ['libraries', 'robots']]) {
    print(`opawg ${set}`, kind, json(podcasts, `${set}.examples.json`).entries.flatMap((e) => e.examples));
  }
  for (const [set, headers] of sets) {
    print(`device-detector ${set}`, set === 'bots' || set === 'library' ? 'robots' : 'apps', headers);
  }
}
