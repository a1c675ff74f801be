// The extension where there is a machine: the server is the engine in a thread, or the program that the user names.
'use strict'

const path = require('node:path')
const { Worker } = require('node:worker_threads')
const { LanguageClient } = require('vscode-languageclient/node')
const { PortMessageReader, PortMessageWriter } = require('vscode-jsonrpc/node')
const client = require('./client')
const { program } = require('./program')

const activate = context => client.activate(context, async (options, engine, configuration) => {
  const named = configuration.get('path')
  if (named) {
    const command = await program(named, process.env, process.platform)
    if (!command) {
      throw new Error(`there is no program ${named}, which the setting robots.path names: leave the setting empty for the engine of the extension.`)
    }
    return new LanguageClient('robots', 'robots.txt', { command, args: ['lsp'] }, options)
  }
  const server = async () => {
    const worker = new Worker(path.join(__dirname, 'server.node.js'))
    worker.postMessage(await engine())
    return { reader: new PortMessageReader(worker), writer: new PortMessageWriter(worker) }
  }
  return new LanguageClient('robots', 'robots.txt', server, options)
})

module.exports = { activate, deactivate: client.deactivate }
