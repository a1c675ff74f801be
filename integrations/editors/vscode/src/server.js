// The language server in a worker: the engine, and the messages that pass between it and the editor. The first message of the editor has
// the bytes of the engine and the language of the editor; all others are those of the protocol.
'use strict'

require('../dist/wasm_exec.js') // of Go; it sets globalThis.Go

function serve(port) {
  let early = [] // messages that came before the engine was ready
  const start = async ({ wasm, language }) => {
    globalThis.robotsReceive = text => port.postMessage(JSON.parse(text))
    globalThis.robotsLanguage = language
    const go = new globalThis.Go()
    const { instance } = await WebAssembly.instantiate(wasm, go.importObject)
    const ended = go.run(instance)
    const waiting = early
    early = undefined
    waiting.forEach(send)
    await ended
    port.close()
  }
  const send = message => globalThis.robotsSend(JSON.stringify(message))
  let begun = false
  port.onMessage(message => {
    if (!begun) {
      begun = true
      start(message).catch(error => port.fail(error))
    } else if (early) {
      early.push(message)
    } else {
      send(message)
    }
  })
}

module.exports = { serve }
