// What the extension does in every editor: it starts the server, passes the settings on, and has the commands. All else is the server's.
'use strict'

const vscode = require('vscode')
const { settings, shown } = require('./settings')

let client
let output
let begin // starts the server, and returns the client

const configuration = () => vscode.workspace.getConfiguration('robots')

// activate starts the extension. make returns a client that is not started yet, for options and the bytes of the engine.
async function activate(context, make) {
  output = vscode.window.createOutputChannel('robots.txt')
  begin = async () => {
    const options = {
      documentSelector: [{ language: 'robots' }],
      initializationOptions: settings(configuration()),
      middleware: { executeCommand: explain },
      outputChannel: output
    }
    const engine = async () => ({
      wasm: await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, 'dist', 'editor.wasm')),
      language: vscode.env.language
    })
    try {
      client = await make(options, engine, configuration())
      await client.start()
    } catch (error) {
      client = undefined
      vscode.window.showErrorMessage(`robots.txt is not checked: ${error.message}`)
    }
  }
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('robots.restart', restart),
    vscode.commands.registerCommand('robots.output', () => output.show()),
    vscode.commands.registerCommand('robots.test', test),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration(async event => {
      if (event.affectsConfiguration('robots.path')) {
        await restart()
      } else if (client?.isRunning() && event.affectsConfiguration('robots')) {
        await client.sendNotification('workspace/didChangeConfiguration', { settings: settings(configuration()) })
      }
    }))
  await begin()
}

async function deactivate() {
  await client?.dispose()
  client = undefined
}

async function restart() {
  await deactivate()
  await begin()
}

let last = { url: '/', robots: 'Googlebot' } // what was asked last

// test asks for a URL and robots, and shows which may fetch it, with the lines that decide.
async function test() {
  const editor = vscode.window.activeTextEditor
  if (editor?.document.languageId !== 'robots' || !client?.isRunning()) {
    vscode.window.showInformationMessage('Open a robots.txt first: the question is about the file in the editor.')
    return
  }
  const url = await vscode.window.showInputBox({ title: 'Test this URL', prompt: 'A URL, or a path such as /search?q=x', value: last.url })
  if (url === undefined) {
    return
  }
  const prompt = 'Robots, with commas between them: tokens, User-Agent headers, names such as claude, purposes such as ai-train'
  const robots = await vscode.window.showInputBox({ title: `Who may fetch ${url}?`, prompt, value: last.robots })
  if (robots === undefined) {
    return
  }
  last = { url, robots }
  const { document } = editor
  try {
    const uri = client.code2ProtocolConverter.asUri(document.uri)
    const params = { command: 'robots.match', arguments: [uri, url.trim(), robots.trim()] }
    const chosen = await vscode.window.showQuickPick(shown(await client.sendRequest('workspace/executeCommand', params)), {
      title: url, placeHolder: 'Choose an answer to see the line that decides', matchOnDescription: true
    })
    if (chosen?.line) {
      const { range } = document.lineAt(Math.min(chosen.line, document.lineCount) - 1)
      await vscode.window.showTextDocument(document, { selection: range })
    }
  } catch (error) {
    vscode.window.showErrorMessage(error.message)
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
