import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'rolldown'
import { type Guide, searchDocuments } from './documents.ts'
import { buildIndex } from './engine.ts'

const DOCUMENT = new URL('../../server/openapi.json', import.meta.url)
/** The id of a virtual module that exports the name of the index file. */
const INDEX_NAME = 'virtual:search-index-name'

/**
 * Writes the script of the search dialog into a folder, with the search index as a module that the script imports and a manifest that
 * names both files. The name of a file contains a hash of its content, so that browsers can cache the file.
 */
export async function buildSearch(guides: readonly Guide[], folder: string): Promise<void> {
  const api = JSON.parse(await readFile(DOCUMENT, 'utf8'))
  const index = asModule(JSON.stringify(buildIndex(searchDocuments(api, guides))))
  const indexFile = `search-index-${createHash('sha256').update(index).digest('base64url').slice(0, 8)}.js`
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: { search: join(import.meta.dirname, 'dialog.js') },
    plugins: [textModules({ [INDEX_NAME]: indexFile })],
  })
  const { output } = await bundle.generate({
    format: 'es',
    minify: true,
    entryFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const [script] = output
  await writeCompressed(join(folder, script.fileName), Buffer.from(script.code))
  await writeCompressed(join(folder, indexFile), Buffer.from(index))
  const files = [script.fileName, indexFile]
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ script: script.fileName, files }))
}

const asModule = (text: string) => `export default ${JSON.stringify(text)}`

/** A plugin for modules that export one text: the modules in `texts`, and files imported with `?text`. */
function textModules(texts: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'text-modules',
    resolveId: (id, importer) => {
      if (Object.hasOwn(texts, id)) return id
      return id.endsWith('?text') && importer !== undefined ? join(importer, '..', id) : null
    },
    load: async (id) => {
      const text = texts[id]
      if (text !== undefined) return { code: asModule(text), moduleType: 'js' }
      if (!id.endsWith('?text')) return null
      return { code: asModule(await readFile(id.slice(0, -'?text'.length), 'utf8')), moduleType: 'js' }
    },
  }
}

/** Uses the slowest and best compression, because only the build compresses these files and the server never does. */
async function writeCompressed(path: string, plain: Buffer): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, quality), promisify(gzip)(plain, { level: 9 })])
  await Promise.all([writeFile(path, plain), writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
