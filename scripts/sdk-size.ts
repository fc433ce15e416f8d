import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { scriptOptions } from '../server/src/main/command-line.ts'

const HELP = `Usage: npm run metrics:sdk

Prints how many bytes the SDK adds to a page, bundled, minified and compressed with gzip: the whole SDK, and single imports.

Examples:

  npm run metrics:sdk
`

const ROOT = join(import.meta.dirname, '..')
const ENTRY = 'virtual:entry'

/** One file of JavaScript, as a partner’s bundler makes it. */
export async function bundledSdk(names: readonly string[] = []): Promise<string> {
  const sdk = JSON.stringify(join(ROOT, 'sdk/src/index.ts'))
  const code = names.length === 0 ? `export * from ${sdk}` : `export { ${names.join(', ')} } from ${sdk}`
  const bundle = await rolldown({
    input: ENTRY,
    plugins: [
      { name: 'entry', resolveId: (id) => (id === ENTRY ? id : null), load: (id) => (id === ENTRY ? code : null) },
    ],
    transform: { target: 'es2022' },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}

/** Compressed bytes that `import { names } from '@portico/sdk'` adds to a page. Without names, the bytes of the whole SDK. */
export async function compressedBytes(names: readonly string[] = []): Promise<number> {
  return gzipSync(await bundledSdk(names), { level: 9 }).length
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  'all of it': [],
  'client with a publishable key': ['Client', 'publishableKey'],
  'sign-in with PKCE': ['Client', 'user', 'authorizeUrl', 'exchangeCode'],
  'webhooks alone': ['requestHandler'],
}

if (import.meta.main) {
  scriptOptions({}, HELP)
  for (const [part, names] of Object.entries(PARTS)) {
    process.stdout.write(`${((await compressedBytes(names)) / 1_024).toFixed(1).padStart(6)} KB  ${part}\n`)
  }
}
