// The server of the extension in a real worker, over its port, beside the program 'robots lsp': the same answers.
'use strict'

const assert = require('node:assert')
const { execFileSync, spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, test } = require('node:test')
const { Worker } = require('node:worker_threads')
const { createMessageConnection, PortMessageReader, PortMessageWriter, StreamMessageReader, StreamMessageWriter } = require('vscode-jsonrpc/node')

const dist = path.join(__dirname, '../dist')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'robots-server-'))
const program = path.join(folder, 'robots')
const uri = 'file:///robots.txt'
const text = '# é😀\r\nUser-agent: Googlebot\r\nUser-agent: ClaudeBot\nDisalow: /x\nDisallow: /private/*.pdf$\n\nUser-agent: *\nDisallow: /private/x\nCrawl-delay: 5\n'

before(() => execFileSync('go', ['build', '-o', program, './cmd/robots'], { cwd: path.join(__dirname, '../../../..') }))
after(() => fs.rmSync(folder, { recursive: true }))

// inWorker starts the server of the extension, as the extension does.
function inWorker(t, language = 'en') {
  const worker = new Worker(path.join(dist, 'server.node.js'))
  worker.postMessage({ wasm: fs.readFileSync(path.join(dist, 'editor.wasm')), language })
  const ended = new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject))
  t.after(() => worker.terminate())
  return session(createMessageConnection(new PortMessageReader(worker), new PortMessageWriter(worker)), ended)
}

// inProgram starts the program.
function inProgram(t) {
  const child = spawn(program, ['lsp'], { env: { ...process.env, LANGUAGE: 'en' }, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.on('exit', resolve))
  t.after(() => child.kill())
  return session(createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin)), ended)
}

// session returns a connection that keeps the diagnostics of the last version.
function session(connection, ended) {
  const published = []
  const waiting = []
  connection.onNotification('textDocument/publishDiagnostics', params => {
    published.push(params)
    waiting.splice(0).forEach(resume => resume())
  })
  connection.onNotification(() => {})
  connection.listen()
  const diagnostics = async version => {
    while (published.at(-1)?.version !== version) {
      await new Promise(resume => waiting.push(resume))
    }
    return published.at(-1)
  }
  return { connection, ended, diagnostics }
}

const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: { workspaceEdit: { documentChanges: true } },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, dataSupport: true, tagSupport: { valueSet: [1, 2] } },
    hover: { contentFormat: ['markdown'] },
    completion: { completionItem: { documentationFormat: ['markdown'] } },
    codeAction: { codeActionLiteralSupport: {} },
    rename: { prepareSupport: true },
    semanticTokens: { formats: ['relative'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true }
  }
}

// talk asks a server everything that an editor asks, and returns the answers.
async function talk({ connection, ended, diagnostics }) {
  const answers = []
  const ask = async (method, params) => {
    answers.push([method, await connection.sendRequest(method, params).catch(error => [error.code, error.message])])
  }
  const document = { textDocument: { uri } }
  await ask('textDocument/hover', { ...document, position: { line: 0, character: 0 } }) // before initialize
  const { capabilities: can } = await connection.sendRequest('initialize', { processId: null, rootUri: null, locale: 'en', capabilities })
  answers.push(can)
  await connection.sendNotification('initialized', {})
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'robots', version: 1, text } })
  answers.push(await diagnostics(1))
  const lines = text.split(/\r\n|\n/)
  for (let line = 0; line < lines.length; line++) {
    for (const character of [0, 3, lines[line].length, 1e6]) {
      const place = { ...document, position: { line, character } }
      await ask('textDocument/hover', place)
      await ask('textDocument/completion', place)
      await ask('textDocument/documentHighlight', place)
    }
  }
  const whole = { ...document, range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } }
  await ask('textDocument/codeAction', { ...whole, context: { diagnostics: [], only: ['quickfix', 'source.fixAll.robots'] } })
  await ask('textDocument/formatting', { ...document, options: { tabSize: 2, insertSpaces: true } })
  for (const method of ['documentSymbol', 'foldingRange', 'documentLink', 'codeLens', 'semanticTokens/full']) {
    await ask(`textDocument/${method}`, document)
  }
  await ask('textDocument/rename', { ...document, position: { line: 1, character: 14 }, newName: 'Bingbot' })
  for (const [url, robots] of [
    ['/x', 'Googlebot'], ['/private/x.pdf', 'Googlebot-Image, GPTBot'], ['https://example.com/private/x', ''], ['/private/a.pdf', 'claude'], ['/', 'ai-train'],
    ['/', 'Googelbot'], ['/', 'NobodyKnowsIt'], ['/private/x', 'Mozilla/5.0 (compatible; Googlebot/2.1)'], ['private', 'Googlebot'], ['', ''], ['/\ud800', '\0']
  ]) {
    await ask('workspace/executeCommand', { command: 'robots.match', arguments: [uri, url, robots] })
  }
  for (const args of [[], [uri], [5, '/', 'x'], [uri, null, {}], ['file:///other', '/', '*']]) {
    await ask('workspace/executeCommand', { command: 'robots.match', arguments: args })
  }
  await ask('workspace/executeCommand', { command: 'no.such', arguments: [uri] })
  await ask('no/such', {})
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: { line: 0, character: 4 }, end: { line: 0, character: 6 } }, text: '\ud83d\ude00\0' }, { text: 'Disallow: /\n'.repeat(5000) }]
  })
  answers.push(await diagnostics(2))
  await ask('shutdown')
  await connection.sendNotification('exit')
  await ended
  return answers
}

test('the engine in a worker answers as the program does', async t => {
  const [answers, expected] = await Promise.all([talk(inWorker(t)), talk(inProgram(t))])
  assert.ok(answers.length > 100, `${answers.length} answers`)
  answers.forEach((answer, i) => assert.deepStrictEqual(answer, expected[i]))
  const verdicts = answers.filter(Array.isArray).filter(([method]) => method === 'workspace/executeCommand').map(([, answer]) => answer)
  assert.deepStrictEqual(verdicts[1].map(({ robot, allowed, line }) => [robot, allowed, line]), [['Googlebot-Image', false, 5], ['GPTBot', false, 8]])
  assert.match(verdicts[5][1], /did you mean Googlebot/)
})

test('messages that come before the engine, and many at once, keep their order', async t => {
  const { connection, diagnostics } = inWorker(t, 'es')
  const begun = connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities })
  await connection.sendNotification('initialized', {})
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'robots', version: 0, text: '' } })
  for (let version = 1; version <= 300; version++) {
    const range = { start: { line: version - 1, character: 0 }, end: { line: version - 1, character: 0 } }
    await connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ range, text: `Disalow: /${version}\n` }] })
  }
  await begun
  const { diagnostics: found } = await diagnostics(300)
  assert.ok(found.length >= 100, `${found.length}`)
  assert.match(found.map(({ message }) => message).join('\n'), /escri/) // Spanish, as the editor
})

test('odd messages end nothing', async t => {
  const { connection } = inWorker(t)
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities })
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, text: 5 } })
  await connection.sendNotification('textDocument/didChange', null)
  await connection.sendNotification('\0', { text: '\ud800'.repeat(1000) })
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'robots', version: 1, text: '#'.repeat(5 << 20) } })
  const { code } = await connection.sendRequest('textDocument/hover', {}).catch(error => error)
  assert.strictEqual(code, -32602)
  assert.deepStrictEqual(await connection.sendRequest('textDocument/documentSymbol', { textDocument: { uri } }), [])
})

test('the package has what the extension loads, and nothing else', () => {
  const kept = fs.readFileSync(path.join(__dirname, '../.vscodeignore'), 'utf8')
  const manifest = require('../package.json')
  for (const file of [manifest.main, manifest.browser, 'dist/server.node.js', 'dist/server.web.js', 'dist/editor.wasm', 'dist/LICENSE-Go.txt']) {
    const name = file.replace(/^\.\//, '')
    assert.ok(kept.includes(`!${name}\n`), name)
    assert.ok(fs.existsSync(path.join(__dirname, '..', name)), name)
  }
  // A browser has none of the modules of Node.
  for (const name of ['web.js', 'server.web.js']) {
    const required = [...fs.readFileSync(path.join(dist, name), 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(([, module]) => module)
    assert.deepStrictEqual([...new Set(required)].filter(module => module !== 'vscode'), [], name)
  }
})
