// Which program to start as the server, where the user names one.
'use strict'

const fs = require('node:fs/promises')
const os = require('node:os')
const path = require('node:path')

// program returns the path of the program: the one that the user names, or the first in PATH, or the one that
// 'go install' wrote. It returns undefined if there is none. A name without a folder is looked up in PATH only,
// so that no file of the open folder is started.
async function program(named, env, platform) {
  const file = named || 'robots'
  if (path.isAbsolute(file)) {
    return await executable(file, platform)
  }
  if (path.basename(file) !== file) {
    return undefined
  }
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter)
  if (env.GOBIN) {
    folders.push(env.GOBIN)
  }
  folders.push(path.join(env.GOPATH?.split(path.delimiter)[0] || path.join(os.homedir(), 'go'), 'bin'))
  for (const folder of folders) {
    if (!path.isAbsolute(folder)) {
      continue
    }
    const found = await executable(path.join(folder, file), platform)
    if (found) {
      return found
    }
  }
  return undefined
}

// executable returns the file, on Windows also with the ending .exe, if it can be started.
async function executable(file, platform) {
  const candidates = platform === 'win32' && !/\.exe$/i.test(file) ? [file + '.exe'] : [file]
  for (const candidate of candidates) {
    try {
      await fs.access(candidate, fs.constants.X_OK)
      if ((await fs.stat(candidate)).isFile()) {
        return candidate
      }
    } catch {
      // The next candidate.
    }
  }
  return undefined
}

module.exports = { program }
