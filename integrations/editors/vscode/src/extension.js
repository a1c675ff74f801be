// The extension starts 'robots lsp' for robots.txt, and passes the settings on. All else is the server's.
'use strict'

const vscode = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')
const { program, settings } = require('./settings')

const help = 'https://github.com/robotsexclusion/robots/blob/main/doc/editors.md'

let client
let output

async function activate(context) {
  output = vscode.window.createOutputChannel('robots.txt')
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('robots.restart', restart),
    vscode.commands.registerCommand('robots.output', () => output.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration(async event => {
      if (event.affectsConfiguration('robots.path')) {
        await restart()
      } else if (client?.isRunning() && event.affectsConfiguration('robots')) {
        await client.sendNotification('workspace/didChangeConfiguration', { settings: settings(configuration()) })
      }
    }))
  await start()
}

async function deactivate() {
  await client?.dispose()
  client = undefined
}

async function restart() {
  await deactivate()
  await start()
}

const configuration = () => vscode.workspace.getConfiguration('robots')

// start starts the server, or says where to get it.
async function start() {
  const command = await program(configuration().get('path'), process.env, process.platform)
  if (!command) {
    const named = configuration().get('path')
    const message = named ? `There is no program ${named}: the setting robots.path names it.`
      : 'The program robots is not in PATH: install it, or name it in the setting robots.path.'
    const open = await vscode.window.showErrorMessage(message, 'How to install')
    if (open) {
      vscode.env.openExternal(vscode.Uri.parse(help))
    }
    return
  }
  client = new LanguageClient('robots', 'robots.txt', { command, args: ['lsp'] }, {
    documentSelector: [{ language: 'robots' }],
    initializationOptions: settings(configuration()),
    middleware: { executeCommand: explain },
    outputChannel: output
  })
  try {
    await client.start()
  } catch (error) {
    vscode.window.showErrorMessage(`${command} does not serve robots.txt: ${error.message}`)
  }
}

// explain shows the explanation of a line beside the line, where the server would show it as a message.
async function explain(command, args, next) {
  if (command !== 'robots.explain') {
    return next(command, args)
  }
  const [uri, line] = args
  const start = new vscode.Position(line, 0)
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection: new vscode.Range(start, start) })
  await vscode.commands.executeCommand('editor.action.showHover')
}

module.exports = { activate, deactivate }
