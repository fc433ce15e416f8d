import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'rolldown'
import { scriptOptions } from '../server/src/main/command-line.ts'

const HELP = `Usage: npm run build:server

Bundles the server, its worker thread, its API processes and its commands into server/dist, with the packages they
use. The bundle is optional: it does what the sources do, and needs less than half of their processor time to start.
The bundle reads migrations, assets of pages and built documents from the folders of the sources, so it must stay in
server/dist. Build it again after each change of the sources.

Examples:

  npm run build:server && DATABASE_URL=postgres://… node server/dist/main.js
  node server/dist/account.js --help
`
const ROOT = join(import.meta.dirname, '..')
const MAIN = join(ROOT, 'server/src/main')
const OWN_FOLDERS = ['server', 'demo', 'embedded-postgres'].map((folder) => join(ROOT, folder, '/'))
/** The programs that worker-host.ts and api-processes.ts start by the names of their sources. */
const STARTED = ['worker-thread', 'api-process']
const COMMANDS = ['account', 'new-epoch', 'operator-key', 'seed', 'verify-audit'].map((name) => `commands/${name}`)
const PROGRAMS = ['main', ...STARTED, ...COMMANDS]

const PROGRAM = new RegExp(`new URL\\('\\./(${STARTED.join('|')})\\.ts', import\\.meta\\.url\\)`)

if (import.meta.main) {
  scriptOptions({}, HELP)
  const startedMs = performance.now()
  const directory = join(ROOT, 'server/dist')
  await rm(directory, { recursive: true, force: true })
  await buildServer(directory)
  process.stdout.write(`Built the server (${((performance.now() - startedMs) / 1_000).toFixed(1)} s).\n`)
}

/**
 * Writes `main.js`, `worker-thread.js`, `api-process.js`, a file for each command, and a file for each entry of `others`,
 * which maps names to sources. The written files run only while the sources stay where they are.
 */
export async function buildServer(directory: string, others: Record<string, string> = {}): Promise<void> {
  await mkdir(directory, { recursive: true })
  // Without this package.json Node parses each file of the bundle twice to find out that it is a module.
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }\n')
  await build({
    input: { ...Object.fromEntries(PROGRAMS.map((name) => [basename(name), join(MAIN, `${name}.ts`)])), ...others },
    platform: 'node',
    // The binaries are packages of their own, found by name. The pool never asks for pg-native, which is not installed.
    external: [/^@embedded-postgres\//, 'pg-native'],
    // Modules do work when they are loaded, so none may be left out as unused.
    treeshake: false,
    plugins: [addressesOfSources(await realpath(directory))],
    output: { dir: directory, format: 'esm' },
    logLevel: 'warn',
  })
}

/** Sources name files relative to themselves. In the bundle these names lead to the same files, and to the bundled programs. */
function addressesOfSources(directory: string): Plugin {
  return {
    name: 'addresses-of-sources',
    transform(code, id) {
      if (!code.includes('import.meta') || !OWN_FOLDERS.some((folder) => id.startsWith(folder))) return null
      const folder = JSON.stringify(`/${relative(directory, dirname(id))}`)
      const file = JSON.stringify(encodeURI(relative(directory, id)))
      const addressed = (text: string) =>
        text
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${folder})`)
          .replaceAll('import.meta.url', `new URL(${file}, import.meta.url).href`)
      return code
        .split(PROGRAM)
        .map((part, at) => (at % 2 === 0 ? addressed(part) : `new URL('./${part}.js', import.meta.url)`))
        .join('')
    },
  }
}
