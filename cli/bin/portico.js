#!/usr/bin/env node
// Starts the command line: the built JavaScript of an installed package, or the TypeScript of the repository. Node runs
// TypeScript itself from version 22.18 on, so an older Node starts the Node that the repository pins.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const BUILT = join(PACKAGE, 'dist/main.js')
const SOURCE = join(PACKAGE, 'src/main.ts')
const PINNED_NODE = join(PACKAGE, '../node_modules/.bin/node')
const COMPILED = join(PACKAGE, '../node_modules/.cache/portico')

if (existsSync(BUILT)) await import(pathToFileURL(BUILT).href)
else if (process.features.typescript) await runSource()
else runWith(PINNED_NODE)

async function runSource() {
  // A short command spends half of its time on stripping types and compiling. So Node caches the results, in the cache of
  // `npm start`.
  module.enableCompileCache(COMPILED)
  await import(pathToFileURL(SOURCE).href)
}

/** @param {string} node */
function runWith(node) {
  if (!existsSync(node)) {
    process.stderr.write('portico: this Node is too old to run TypeScript. Run npm ci in the repository first.\n')
    process.exit(1)
  }
  // SIGKILL cannot be forwarded, so the child watches the IPC channel, which closes when this process is killed.
  const child = spawn(node, [SOURCE, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  // The terminal sends Ctrl-C to both processes. The child decides when to end, and this process ends in the same way.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
