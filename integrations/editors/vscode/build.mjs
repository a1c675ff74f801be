// Builds dist: the language server from Go as WebAssembly, the worker in which it runs, and the extension, for machines and for browsers.

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const go = (args, env = {}) => execFileSync('go', args, { cwd: here, encoding: 'utf8', env: { ...process.env, ...env } }).trim()

rmSync(join(here, 'dist'), { recursive: true, force: true })
mkdirSync(join(here, 'dist'))
go(['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', 'dist/editor.wasm', '../../../cmd/internal/wasm/editor'], { GOOS: 'js', GOARCH: 'wasm' })
// Go's own JavaScript for a program of this version of Go, under the licence of Go, which is beside it.
const root = go(['env', 'GOROOT'])
copyFileSync(join(root, 'lib/wasm/wasm_exec.js'), join(here, 'dist/wasm_exec.js'))
if (existsSync(join(root, 'LICENSE'))) {
  copyFileSync(join(root, 'LICENSE'), join(here, 'dist/LICENSE-Go.txt'))
}

const bundle = (names, options) => build({
  absWorkingDir: here, entryPoints: names.map(name => `src/${name}.js`), outdir: 'dist', bundle: true, minify: true, format: 'cjs', external: ['vscode'], ...options
})
await bundle(['extension', 'server.node'], { platform: 'node', target: 'node18' })
await bundle(['web'], { platform: 'browser', target: 'es2022' })
await bundle(['server.web'], { platform: 'browser', target: 'es2022', format: 'iife' })
