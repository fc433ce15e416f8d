import { readFile } from 'node:fs/promises'
import { readGuideIndex } from '../docs-site/guide-index.ts'
import { renderGuides } from '../docs-site/render-guides.ts'
import { searchDocuments } from '../docs-site/search/documents.ts'
import { buildIndex, loadIndex, search } from '../docs-site/search/engine.ts'
import { scriptOptions } from '../server/src/main/command-line.ts'

scriptOptions(
  {},
  `Usage: npm run docs:questions

Searches the documentation for the questions of docs/questions.json, and prints the rank of each expected page. Exit
code 1 if fewer than 19 in 20 are among the first three results. The index is built from server/openapi.json and the guides of docs/.

Examples:

  npm run docs:questions
`,
)

type Question = { readonly question: string; readonly expected: string }

const SHOWN_RESULTS = 3
const FOUND_SHARE_MIN = 0.95

const read = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'))

const questions: readonly Question[] = await read('../docs/questions.json')
const guides = await renderGuides(await readGuideIndex())
const documents = searchDocuments(await read('../server/openapi.json'), guides)
// The index is written and read again, because a browser reads it in its file format.
const index = loadIndex(JSON.stringify(buildIndex(documents)))

/** The rank of the expected address. An expected address without a fragment is a page, and each of its sections counts. */
function rankOf({ question, expected }: Question): number {
  const isPage = !expected.includes('#')
  const results = search(index, question)
  return results.findIndex(({ address }) => (isPage ? address.split('#')[0] : address) === expected) + 1
}

let found = 0
for (const entry of questions) {
  const rank = rankOf(entry)
  const isFound = rank > 0 && rank <= SHOWN_RESULTS
  if (isFound) found++
  const place = rank === 0 ? 'not found' : `${rank}`
  process.stdout.write(`${isFound ? '  ' : '! '}${place.padStart(9)}  ${entry.question}  ->  ${entry.expected}\n`)
}
const wanted = Math.ceil(questions.length * FOUND_SHARE_MIN)
process.stdout.write(`${found} of ${questions.length} among the first ${SHOWN_RESULTS} (at least ${wanted}), `)
process.stdout.write(`${documents.length} documents in the index.\n`)
process.exitCode = found >= wanted ? 0 : 1
