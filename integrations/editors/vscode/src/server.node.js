'use strict'

const { parentPort } = require('node:worker_threads')
const { serve } = require('./server')

serve({
  onMessage: listener => parentPort.on('message', listener),
  postMessage: message => parentPort.postMessage(message),
  close: () => parentPort.close(),
  fail: error => {
    throw error
  }
})
