import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'rolldown'
import { type Guide, searchDocuments } from './documents.ts'
import { buildIndex } from './engine.ts'

const DOCUMENT = new URL('../../server/openapi.json', import.meta.url)
/** A module with the name of the file that holds the index. */
const INDEX_NAME = 'virtual:search-index-name'

/**
 * Writes the search of the documentation into a folder: the script of the dialog, the index as a module that it imports when
 * search is first opened, and a manifest that names the script. File names change with their content.
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

/** Modules whose only export is a text: those given here, and files imported with `?text`. */
function textModules(given: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'text-modules',
    resolveId: (id, importer) => {
      if (Object.hasOwn(given, id)) return id
      return id.endsWith('?text') && importer !== undefined ? join(importer, '..', id) : null
    },
    load: async (id) => {
      const text = given[id]
      if (text !== undefined) return { code: asModule(text), moduleType: 'js' }
      if (!id.endsWith('?text')) return null
      return { code: asModule(await readFile(id.slice(0, -'?text'.length), 'utf8')), moduleType: 'js' }
    },
  }
}

/** As small as possible, because it is done once here and never by the server. */
async function writeCompressed(path: string, plain: Buffer): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, quality), promisify(gzip)(plain, { level: 9 })])
  await Promise.all([writeFile(path, plain), writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
