// The extension in a browser, such as in vscode.dev: the server is the engine in a worker.
'use strict'

const vscode = require('vscode')
const { LanguageClient } = require('vscode-languageclient/browser')
const client = require('./client')

const activate = context => client.activate(context, async (options, engine) => {
  const worker = new Worker(vscode.Uri.joinPath(context.extensionUri, 'dist', 'server.web.js').toString(true))
  worker.postMessage(await engine())
  return new LanguageClient('robots', 'robots.txt', options, worker)
})

module.exports = { activate, deactivate: client.deactivate }
