import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptOptions } from '../server/src/main/command-line.ts'

const HELP = `Usage: npm run compile:server

Stores the compiled code of the server in node_modules/.cache, so that the first npm start needs less time. npm ci
runs this command too. Nothing depends on the stored code: Node compiles a module again if its source has changed.

Examples:

  npm run compile:server
`
const ROOT = join(import.meta.dirname, '..')
const [SERVER, LOADER] = ['server/src/main/main.ts', 'scripts/load-server.ts']

if (import.meta.main) {
  scriptOptions({}, HELP)
  const startedMs = performance.now()
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  // Node uses its cache only with the same folder and the same options, so both come from the script `start`.
  const command = String(scripts.start).replace(SERVER, LOADER)
  execFileSync('sh', ['-c', command], { cwd: ROOT, stdio: 'inherit' })
  process.stdout.write(`Compiled the server (${((performance.now() - startedMs) / 1_000).toFixed(1)} s).\n`)
}
