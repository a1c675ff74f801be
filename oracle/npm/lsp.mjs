#!/usr/bin/env node
// Talks to a language server with the libraries that Visual Studio Code is made of:
//
//     node lsp.mjs PROGRAM [ARGUMENT...] < robots.txt
//
// opens the text that comes on standard input, asks about all of it, changes it, and
// prints what came of that as one JSON object. Edits are made by their library for
// documents.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const lsp = require('vscode-languageserver-protocol/node');
const { TextDocument } = require('vscode-languageserver-textdocument');

const uri = 'file:///srv/robots.txt';
const server = spawn(process.argv[2], process.argv.slice(3), { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = once(server, 'exit');
const connection = lsp.createProtocolConnection(
  new lsp.StreamMessageReader(server.stdout),
  new lsp.StreamMessageWriter(server.stdin),
  { error: fail, warn: fail, info: () => {}, log: () => {} },
);
connection.onError(fail);

function fail(problem) {
  console.error(problem);
  process.exit(1);
}

// Diagnostics by their version, and who waits for one of them.
const published = new Map();
const waiting = new Map();
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
  published.set(params.version, params.diagnostics);
  waiting.get(params.version)?.(params.diagnostics);
});

function diagnosticsOf(version) {
  return published.get(version) ?? new Promise((resolve) => waiting.set(version, resolve));
}

// made returns the titles and kinds of code actions, and the texts that they come
// to.
function made(document, actions) {
  return actions.map(({ title, kind, isPreferred = false, edit }) => ({
    title, kind, preferred: isPreferred, text: TextDocument.applyEdits(document, edit.changes[uri]),
  }));
}

async function main() {
  connection.listen();
  const result = {};
  const textDocument = { uri };
  let document = TextDocument.create(uri, 'robotstxt', 1, readFileSync(0, 'utf8'));
  const everything = () => ({ start: document.positionAt(0), end: document.positionAt(document.getText().length) });

  const { capabilities, serverInfo } = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    clientInfo: { name: 'oracle' },
    locale: 'en-GB',
    initializationOptions: { profile: 'strict' },
    capabilities: {
      general: { positionEncodings: [lsp.PositionEncodingKind.UTF16] },
      textDocument: {
        publishDiagnostics: { relatedInformation: true, versionSupport: true, codeDescriptionSupport: true, dataSupport: true,
          tagSupport: { valueSet: [lsp.DiagnosticTag.Unnecessary, lsp.DiagnosticTag.Deprecated] } },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll] } }, isPreferredSupport: true },
        hover: { contentFormat: [lsp.MarkupKind.Markdown] },
        completion: { completionItem: { documentationFormat: [lsp.MarkupKind.Markdown] } },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      },
    },
  });
  result.server = serverInfo.name;
  result.encoding = capabilities.positionEncoding;
  await connection.sendNotification(lsp.InitializedNotification.type, {});

  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'robotstxt', version: document.version, text: document.getText() } });
  const found = await diagnosticsOf(1);
  if (!found.every(lsp.Diagnostic.is)) {
    throw new Error('not all diagnostics are diagnostics');
  }
  result.diagnostics = found.map(({ code, message, range }) => ({ code, message, place: document.getText(range) }));

  result.hovers = [];
  for (let line = 0; line < document.lineCount; line++) {
    const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument, position: { line, character: 0 } });
    if (hover !== null && !lsp.Hover.is(hover)) {
      throw new Error('a hover is no hover');
    }
    result.hovers.push(hover?.contents.value ?? '');
  }

  const quickFixes = await connection.sendRequest(lsp.CodeActionRequest.type, {
    textDocument, range: everything(), context: { diagnostics: found, only: [lsp.CodeActionKind.QuickFix] } });
  const fixAll = await connection.sendRequest(lsp.CodeActionRequest.type, {
    textDocument, range: everything(), context: { diagnostics: [], only: [lsp.CodeActionKind.SourceFixAll] } });
  if (![...quickFixes, ...fixAll].every((action) => lsp.CodeAction.is(action))) {
    throw new Error('not all code actions are code actions');
  }
  result.quickFixes = made(document, quickFixes);
  result.fixAll = made(document, fixAll);

  const edits = await connection.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 2, insertSpaces: true } });
  result.formatted = TextDocument.applyEdits(document, edits);

  const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
  if (!symbols.every((symbol) => lsp.DocumentSymbol.is(symbol))) {
    throw new Error('not all symbols are symbols');
  }
  result.symbols = symbols.map(({ name }) => name);

  // A line is typed at the start, one letter after another, and completed.
  const typed = 'User-agent: Goo\r\n';
  for (let i = 0; i < typed.length; i++) {
    const at = document.positionAt(i);
    const change = { range: { start: at, end: at }, text: typed[i] };
    document = TextDocument.update(document, [change], document.version + 1);
    await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: document.version }, contentChanges: [change] });
  }
  const { items, isIncomplete } = await connection.sendRequest(lsp.CompletionRequest.type, { textDocument, position: { line: 0, character: 15 } });
  const googlebot = items.find(({ label }) => label === 'Googlebot');
  // The server offers only the robots with the letters that are typed.
  if (!isIncomplete || !items.every(({ label, textEdit }) => typeof label === 'string' && lsp.TextEdit.is(textEdit))) {
    throw new Error('not all items are items');
  }
  result.completed = TextDocument.applyEdits(document, [googlebot.textEdit]);
  result.robots = items.length;
  result.changed = (await diagnosticsOf(document.version)).map(({ code, range }) => ({ code, place: document.getText(range) }));
  result.text = document.getText();

  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  [result.exit] = await exited;
  console.log(JSON.stringify(result));
  process.exit(0);
}

main().catch(fail);
