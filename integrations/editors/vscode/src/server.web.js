'use strict'

const { serve } = require('./server')

serve({
  onMessage: listener => self.addEventListener('message', event => listener(event.data)),
  postMessage: message => self.postMessage(message),
  close: () => self.close(),
  fail: error => setTimeout(() => {
    throw error // the editor hears of it as an error of the worker
  })
})
