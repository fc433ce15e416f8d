import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { scriptOptions } from '../server/src/main/command-line.ts'
import { apiTypes } from './sdk/api-types.ts'

const HELP = `Usage: npm run generate -- [--check]

Writes the files that are made from code: docs/configuration.md, docs/routes.md, server/openapi.json, the generated parts of
docs/platform-feed.md and docs/webhooks.md, and sdk/src/api-types.ts.

  --check   write nothing, and exit with code 1 if a file is not what the code says
  --help    print this

Examples:

  npm run generate
  npm run generate -- --check
`
const { check } = scriptOptions({ check: { type: 'boolean', default: false } }, HELP)

const SERVER = fileURLToPath(new URL('../server/src/main/generate.ts', import.meta.url))
const DOCUMENT = new URL('../server/openapi.json', import.meta.url)
const TYPES = new URL('../sdk/src/api-types.ts', import.meta.url)

// The SDK's types are made from the OpenAPI document that the server's own generator writes.
const { status } = spawnSync(process.execPath, [SERVER, ...(check ? ['--check'] : [])], { stdio: 'inherit' })
const areTypesStale = await generateTypes()
process.exitCode = status === 0 && !areTypesStale ? 0 : 1

/** Whether the file is still not what the document says. */
async function generateTypes(): Promise<boolean> {
  const text = apiTypes(JSON.parse(await readFile(DOCUMENT, 'utf8')))
  if ((await readFile(TYPES, 'utf8').catch(() => null)) === text) return false
  if (check) {
    process.stderr.write('sdk/src/api-types.ts is not what server/openapi.json says. Run: npm run generate\n')
    return true
  }
  await writeFile(TYPES, text)
  process.stdout.write('wrote sdk/src/api-types.ts\n')
  return false
}
