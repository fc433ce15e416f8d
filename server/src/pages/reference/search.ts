import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import { BUILT_FILE, type BuiltFile, builtFileAnswer, readBuiltFile } from '../assets.ts'

/** The search of the documentation, as `npm run build:docs` wrote it. */
const BUILD = fileURLToPath(new URL('../../../../docs-site/dist/search/', import.meta.url))
const FOLDER = '/docs/search'

type Manifest = { readonly script: string; readonly files: readonly string[] }

let known: { readonly manifest: Manifest | null } | undefined

/** Read once: pages of one process name the files of one build. */
function manifest(): Manifest | null {
  known ??= { manifest: readManifest() }
  return known.manifest
}

function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(`${BUILD}manifest.json`, 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The address of the script that adds search to a page. Null where it has not been built: the button then stays hidden. */
export function searchScript(): string | null {
  const found = manifest()
  return found === null ? null : `${FOLDER}/${found.script}`
}

export function searchRoute(): Route {
  const files = new Map<string, BuiltFile>()
  return route({
    operation: 'readSearchScript',
    method: 'GET',
    path: `${FOLDER}/:file`,
    alias: false,
    summary: 'Get a search script',
    description: 'The script and the index of the documentation’s search.',
    tag: 'Reference',
    access: open('The search covers what the documentation says, and contains no personal data.'),
    contentType: 'text/javascript; charset=utf-8',
    schema: BUILT_FILE,
    handler: async ({ params: { file }, header }) => {
      const isKnown = manifest()?.files.includes(file) === true
      const found = files.get(file) ?? (isKnown ? await readBuiltFile(BUILD + file) : null)
      if (found === null) {
        throw new ApiError('not_found', { public: 'This version of the search has no such file. Reload the page.' })
      }
      files.set(file, found)
      return builtFileAnswer(found, header)
    },
  })
}
