import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scriptOptions } from '../server/src/main/command-line.ts'
import { moduleOf } from './borders/districts.ts'
import { type Edge, edgesOf } from './borders/graph.ts'
import { parseSource } from './borders/source-file.ts'
import { readAliases, readSources } from './check-borders.ts'
import { judgeOwners, readManifests, readTables } from './check-sql-owners.ts'
import { tracePaths } from './house-paths/trace-paths.ts'
import { readStatements } from './sql-owners/read-statements.ts'

const { paths: listsPaths, 'no-paths': withoutPaths } = scriptOptions(
  { paths: { type: 'boolean' }, 'no-paths': { type: 'boolean' } },
  `Usage: npm run metrics:house -- [--paths | --no-paths]

Prints figures about how hard the code is to understand for a newcomer: product files and their median length, small files with one importer, the longest
chain of module imports, reads and writes of another module's tables, and the files to open in order to follow a request, a delivery and a
consent. For the last three it starts the service with its demo and counts the files of which a function ran for that act, and not
while the service was idle: first only the files of districts, then also those of kernel, system, http, pages and main. ARCHITECTURE.md
has the figures.

  --paths      also list those files
  --no-paths   leave the three paths out

Examples:

  npm run metrics:house
  npm run metrics:house -- --paths
`,
)

const ROOT = join(import.meta.dirname, '..')
const SMALL_LINES = 60

const isProduct = (path: string) =>
  /^(server\/src|demo|embedded-postgres)\//.test(path) && !/\.test\.ts$|\/testing\//.test(path)
const linesOf = (text: string) => text.split('\n').length - 1

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Small files with exactly one importer, in the same folder. They could be part of the importer. */
function singleCallerFiles(edges: readonly Edge[], lines: ReadonlyMap<string, number>): number {
  const importers = Map.groupBy(
    edges.filter(({ from, to }) => isProduct(from) && lines.has(to)),
    ({ to }) => to,
  )
  return [...importers].filter(([path, by]) => {
    const [first, ...others] = new Set(by.map(({ from }) => from))
    const isBeside = first?.replace(/[^/]+$/, '') === path.replace(/[^/]+$/, '')
    return others.length === 0 && isBeside && (lines.get(path) ?? 0) <= SMALL_LINES
  }).length
}

/** The longest chain of modules in which each imports the next. */
function longestChain(edges: readonly Edge[]): readonly string[] {
  const imports = new Map<string, Set<string>>()
  for (const { from, to } of edges) {
    const [module, other] = [moduleOf(from), moduleOf(to)]
    if (!isProduct(from) || module === undefined || other === undefined || module === other) continue
    imports.set(module, (imports.get(module) ?? new Set()).add(other))
  }
  const known = new Map<string, readonly string[]>()
  const chainFrom = (module: string): readonly string[] => {
    const found = known.get(module)
    if (found !== undefined) return found
    const next = [...(imports.get(module) ?? [])].map(chainFrom)
    const chain = [module, ...(next.toSorted((a, b) => b.length - a.length)[0] ?? [])]
    known.set(module, chain)
    return chain
  }
  return [...imports.keys()].map(chainFrom).toSorted((a, b) => b.length - a.length)[0] ?? []
}

const print = (what: string, figure: string | number, wanted: string) =>
  process.stdout.write(`${what.padEnd(55)} ${String(figure).padStart(6)}   ${wanted}\n`)

const sources = await readSources(ROOT)
const aliases = await readAliases(ROOT)
const edges = [...sources].flatMap(([path, text]) => edgesOf(parseSource(path, text), aliases))
const product = new Map([...sources].filter(([path]) => isProduct(path)).map(([path, text]) => [path, linesOf(text)]))
const chain = longestChain(edges)
const { statements, fragments } = await readStatements()
const owners = judgeOwners(await readTables(), await readManifests(), statements, fragments)
const { workspaces }: { workspaces: readonly string[] } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))

print('product files', product.size, 'at most 750')
print('median lines of a product file', median([...product.values()]), '80 or more')
print('files of at most 60 lines with one importer', singleCallerFiles(edges, product), '')
print('longest chain of module imports', chain.length, `at most 9: ${chain.join(' → ')}`)
print("undeclared reads and writes of another module's tables", owners.problems.length, '0')
print(
  "declared reads of another module's tables",
  owners.foreignReads,
  `of them ${owners.laterReads} of a later module's tables`,
)
print(
  "declared writes of another module's tables",
  owners.foreignWrites,
  `0; ${owners.toolWrites} more by the seed of demos and benches`,
)
print('workspaces', workspaces.length, workspaces.join(', '))

if (withoutPaths !== true) {
  for (const { name, wanted, files } of await tracePaths(ROOT)) {
    const ofProduct = files.filter((path) => moduleOf(path) !== undefined)
    print(`files to follow ${name}`, ofProduct.length, `at most ${wanted}; with the layers ${files.length}`)
    if (listsPaths === true) for (const path of files) process.stdout.write(`  ${path}\n`)
  }
}
