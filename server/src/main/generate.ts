import { readFile, writeFile } from 'node:fs/promises'
import { FACT_GROUPS, feedDocument } from '#intake/facts/index.ts'
import { webhookDocument } from '#webhooks/http.ts'
import { scriptOptions } from './command-line.ts'
import { configDocument, describedRoutes, routeDocument } from './generated-documents.ts'
import { describeApi } from './routes.ts'
import { SETTINGS } from './settings.ts'

const HELP = `Usage: node server/src/main/generate.ts [--check]

Writes the files that are made from the server: docs/configuration.md, docs/routes.md, server/openapi.json, and the generated
parts of docs/platform-feed.md and docs/webhooks.md. \`npm run generate\` runs it, and then makes the SDK’s types.

  --check   write nothing, and exit with code 1 if a file is out of date
  --help    print this

Examples:

  node server/src/main/generate.ts
  node server/src/main/generate.ts --check
`
const { check } = scriptOptions({ check: { type: 'boolean', default: false } }, HELP)

const root = new URL('../../../', import.meta.url)

/** A placeholder. The document that a running service returns contains the address of that service instead. */
const COMMITTED_BASE_URL = 'https://api.portico.example'

const brand = SETTINGS.brand.default
const routes = describedRoutes()

const read = (path: string) => readFile(new URL(path, root), 'utf8')

const GENERATED: Readonly<Record<string, string>> = {
  'docs/configuration.md': configDocument(),
  'docs/platform-feed.md': feedDocument(await read('docs/platform-feed.md'), FACT_GROUPS),
  'docs/routes.md': routeDocument(routes),
  'docs/webhooks.md': webhookDocument(await read('docs/webhooks.md')),
  'server/openapi.json': `${JSON.stringify(describeApi(routes, { brand, baseUrl: COMMITTED_BASE_URL }), null, 2)}\n`,
}

let stale = 0
for (const [path, text] of Object.entries(GENERATED)) {
  if ((await read(path).catch(() => null)) === text) continue
  if (check) {
    stale++
    process.stderr.write(`${path} is out of date. Run: npm run generate\n`)
  } else {
    await writeFile(new URL(path, root), text)
    process.stdout.write(`wrote ${path}\n`)
  }
}
process.exit(stale === 0 ? 0 : 1)
