'use strict'

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { program } = require('../src/program')
const { settings, shown } = require('../src/settings')
const manifest = require('../package.json')

// folder returns a new folder with the programs of these names.
function folder(t, ...names) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'robots-'))
  t.after(() => fs.rmSync(dir, { recursive: true }))
  for (const name of names) {
    fs.writeFileSync(path.join(dir, name), '', { mode: 0o755 })
  }
  return dir
}

test('the first program in PATH is started', async t => {
  const empty = folder(t)
  const first = folder(t, 'robots')
  const second = folder(t, 'robots')
  const PATH = [empty, first, second].join(path.delimiter)
  assert.strictEqual(await program('', { PATH }, 'linux'), path.join(first, 'robots'))
})

test("the program of 'go install' is found", async t => {
  const bin = folder(t, 'robots')
  assert.strictEqual(await program('', { PATH: '', GOBIN: bin }, 'linux'), path.join(bin, 'robots'))
})

test('Windows adds .exe', async t => {
  const bin = folder(t, 'robots.exe')
  assert.strictEqual(await program('', { Path: bin }, 'win32'), path.join(bin, 'robots.exe'))
  assert.strictEqual(await program(path.join(bin, 'robots'), {}, 'win32'), path.join(bin, 'robots.exe'))
})

test('a file of the open folder is never started', async t => {
  const dir = folder(t, 'robots')
  const before = process.cwd()
  process.chdir(dir)
  t.after(() => process.chdir(before))
  const env = { PATH: ['', '.', path.relative(dir, '/')].join(path.delimiter), GOPATH: dir + '/none' }
  for (const name of ['', 'robots', './robots', '../' + path.basename(dir) + '/robots']) {
    assert.strictEqual(await program(name, env, 'linux'), undefined, name)
  }
})

test('what cannot be started is not found', async t => {
  const dir = folder(t)
  fs.mkdirSync(path.join(dir, 'robots'))
  fs.writeFileSync(path.join(dir, 'text'), '', { mode: 0o644 })
  for (const name of [path.join(dir, 'robots'), path.join(dir, 'text'), path.join(dir, 'missing')]) {
    assert.strictEqual(await program(name, { PATH: dir }, 'linux'), undefined, name)
  }
})

test('an empty setting is the default of the server', () => {
  const defaults = { get: name => manifest.contributes.configuration.properties['robots.' + name].default }
  assert.deepStrictEqual(settings(defaults), { profile: 'recommended', enable: [], disable: [], codeLens: true, language: null })
})

test('an answer has the robot, the sentence and the group', () => {
  const verdict = { robot: 'Googlebot-Image', allowed: false, reason: 'rule', line: 2, group: 'Googlebot', sentence: 'disallowed by line 2: Disallow: /' }
  assert.deepStrictEqual(shown([verdict, { robot: '*', allowed: true, sentence: 'allowed: no rule', group: '*' }]), [
    { label: '$(circle-slash) Googlebot-Image', description: 'disallowed by line 2: Disallow: / (group Googlebot)', line: 2 },
    { label: '$(check) * (all others)', description: 'allowed: no rule', line: undefined }
  ])
})
