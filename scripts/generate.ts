import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { portalApiTypes } from '../portal/api-types.ts'
import { sandboxMoves } from '../portal/sandbox-moves.ts'
import { scriptOptions } from '../server/src/main/command-line.ts'
import { apiSurface } from './sdk/api-surface.ts'
import { apiTypes } from './sdk/api-types.ts'

const HELP = `Usage: npm run generate -- [--check]

Writes the files that are made from code: docs/configuration.md, docs/routes.md, server/openapi.json, the generated parts of
docs/platform-feed.md and docs/webhooks.md; sdk/src/api-types.ts and sdk/api.md for the SDK;
portal/src/api/api-types.ts and portal/src/sandbox/all-moves.ts for the portal.

  --check   write nothing, and exit with code 1 if a file is stale
  --help    print this

Examples:

  npm run generate
  npm run generate -- --check
`
const { check } = scriptOptions({ check: { type: 'boolean', default: false } }, HELP)

const SERVER = fileURLToPath(new URL('../server/src/main/generate.ts', import.meta.url))
const DOCUMENT = new URL('../server/openapi.json', import.meta.url)
const SDK_TYPES = new URL('../sdk/src/api-types.ts', import.meta.url)
const PORTAL_TYPES = new URL('../portal/src/api/api-types.ts', import.meta.url)
const PORTAL_MOVES = new URL('../portal/src/sandbox/all-moves.ts', import.meta.url)
const SDK_SURFACE = new URL('../sdk/api.md', import.meta.url)

// The SDK's types are made from the OpenAPI document that the server's own generator writes.
const { status } = spawnSync(process.execPath, [SERVER, ...(check ? ['--check'] : [])], { stdio: 'inherit' })
const document = JSON.parse(await readFile(DOCUMENT, 'utf8'))
const areTypesStale = await isStale(SDK_TYPES, apiTypes(document))
const arePortalTypesStale = await isStale(PORTAL_TYPES, await portalApiTypes(document))
const areMovesStale = await isStale(PORTAL_MOVES, sandboxMoves(document))
const isSurfaceStale = await isStale(SDK_SURFACE, await apiSurface())
const isAnyStale = areTypesStale || arePortalTypesStale || areMovesStale || isSurfaceStale
process.exitCode = status === 0 && !isAnyStale ? 0 : 1

/** Writes a stale file. With `--check` it only reports the file. Resolves to true if `--check` finds a stale file. */
async function isStale(file: URL, text: string): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return false
  const path = file.pathname.replace(/^.*\/(sdk|portal)\/(?=src|api)/, '$1/')
  if (check) {
    process.stderr.write(`${path} is not what the code says. Run: npm run generate\n`)
    return true
  }
  await writeFile(file, text)
  process.stdout.write(`wrote ${path}\n`)
  return false
}
