import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MODULE_ORDER } from './borders/districts.ts'
import { type OwnedStatement, readStatements } from './sql-owners/read-statements.ts'
import { tablesOf } from './sql-owners/statement-tables.ts'

/**
 * Each table has one owner. A module's file `tables.json` names the tables that the module owns and the foreign tables
 * that its statements read. `later` lists the tables that the module reads although it may not import their owners.
 * `writes` lists the foreign tables that the module writes. Each entry of `later` and `writes` has its reason.
 */
export type Manifest = {
  readonly owns: readonly string[]
  readonly reads: readonly string[]
  readonly later: Readonly<Record<string, string>>
  readonly writes: Readonly<Record<string, string>>
}
export type Manifests = ReadonlyMap<string, Manifest>

const ROOT = join(import.meta.dirname, '..')
const MANIFESTS = ['server/src/{*/*,*}/tables.json', 'demo/tables.json']

/**
 * Workspaces that fill databases for demos and benches without the use cases. A production install leaves them out
 * (docs/decisions/0025-table-owners.md).
 */
const TOOLS = ['demo']

export type Judged = {
  readonly problems: readonly string[]
  /** Pairs of a module and a table of another module. */
  readonly foreignReads: number
  readonly laterReads: number
  readonly foreignWrites: number
  /** Foreign writes of the workspaces in `TOOLS`. */
  readonly toolWrites: number
}

export function judgeOwners(
  tables: ReadonlySet<string>,
  manifests: Manifests,
  statements: readonly OwnedStatement[],
  fragments: readonly OwnedStatement[] = [],
): Judged {
  const owned = [...manifests].flatMap(([module, { owns }]) => owns.map((table) => [table, module] as const))
  const ownerOf = new Map(owned)
  const found = [...statements, ...fragments].map((statement) => {
    const { reads, writes } = tablesOf(ownText(statement, fragments), (table) => tables.has(table))
    const isForeign = (table: string) => ownerOf.get(table) !== statement.owner
    return { ...statement, reads: [...reads].filter(isForeign), writes: [...writes].filter(isForeign) }
  })
  const pairs = (what: 'reads' | 'writes') =>
    new Set(found.flatMap((statement) => statement[what].map((table) => `${statement.owner} ${table}`)))
  const [read, written] = [pairs('reads'), pairs('writes')]
  const problems = [
    ...owned
      .filter(([table]) => !tables.has(table))
      .map(([table, module]) => `${module} owns ${table}, which no migration makes`),
    ...owned
      .filter(([table, module]) => ownerOf.get(table) !== module)
      .map(([table, module]) => `${table} is owned by ${module} and by ${ownerOf.get(table)}`),
    ...[...tables].filter((table) => !ownerOf.has(table)).map((table) => `${table} has no owner`),
    ...found.flatMap((statement) => undeclared(statement, manifests.get(statement.owner), ownerOf)),
    ...[...manifests].flatMap(([module, manifest]) => stale(module, manifest, { read, written, ownerOf })),
  ]
  const laterReads = [...manifests.values()].reduce((sum, { later }) => sum + Object.keys(later).length, 0)
  const toolWrites = [...written].filter((pair) => TOOLS.includes(pair.split(' ')[0] ?? '')).length
  return { problems, foreignReads: read.size, laterReads, foreignWrites: written.size - toolWrites, toolWrites }
}

/** The statement without the fragments of other modules: those count as statements of their modules. */
function ownText({ text, owner }: OwnedStatement, fragments: readonly OwnedStatement[]): string {
  const foreign = fragments.filter((fragment) => fragment.owner !== owner)
  return foreign.reduce((rest, fragment) => rest.replaceAll(fragment.text, ' '), text)
}

type Foreign = {
  readonly name: string
  readonly owner: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}
type Owners = ReadonlyMap<string, string>

function undeclared(
  { name, owner, reads, writes }: Foreign,
  manifest: Manifest | undefined,
  ownerOf: Owners,
): readonly string[] {
  if (manifest === undefined) return [`${name}: ${owner} has no tables.json`]
  return [
    ...writes
      .filter((table) => !(table in manifest.writes))
      .map((table) => `${name} writes ${table}, which ${ownerOf.get(table)} owns`),
    ...reads
      .filter((table) => !manifest.reads.includes(table) && !(table in manifest.later))
      .map((table) => `${name} reads ${table} of ${ownerOf.get(table)}, which tables.json does not declare`),
  ]
}

type Used = { readonly read: ReadonlySet<string>; readonly written: ReadonlySet<string>; readonly ownerOf: Owners }

function stale(
  module: string,
  { reads, later, writes }: Manifest,
  { read, written, ownerOf }: Used,
): readonly string[] {
  return [
    ...Object.keys(writes)
      .filter((table) => !written.has(`${module} ${table}`))
      .map((table) => `${module}/tables.json says it writes ${table}; no statement does`),
    ...[...reads, ...Object.keys(later)]
      .filter((table) => !read.has(`${module} ${table}`))
      .map((table) => `${module}/tables.json declares ${table}, which no statement reads`),
    ...reads
      .filter((table) => isLater(module, ownerOf.get(table)))
      .map((table) => `${module} reads ${table}: say why under "later"`),
    ...Object.keys(later)
      .filter((table) => !isLater(module, ownerOf.get(table)))
      .map((table) => `${module} reads ${table} of a module before it: list it under "reads"`),
  ]
}

/** Whether the owner comes after the reader in the order of modules, where imports are not allowed. */
function isLater(reader: string, owner: string | undefined): boolean {
  const [from, to] = [MODULE_ORDER.indexOf(reader), MODULE_ORDER.indexOf(owner ?? '')]
  return from >= 0 && to >= 0 && to > from
}

export async function readManifests(): Promise<Manifests> {
  const manifests = new Map<string, Manifest>()
  for await (const file of glob(MANIFESTS, { cwd: ROOT })) {
    const module = file.split('/').at(-2) ?? file
    manifests.set(module, JSON.parse(await readFile(join(ROOT, file), 'utf8')))
  }
  return manifests
}

/** The tables that exist after all migrations; a partition does not count as a table of its own. */
export async function readTables(): Promise<ReadonlySet<string>> {
  const files: string[] = []
  for await (const file of glob('server/migrations/*.sql', { cwd: ROOT })) files.push(file)
  const texts = await Promise.all(files.sort().map((file) => readFile(join(ROOT, file), 'utf8')))
  const tables = new Set<string>()
  for (const [, made, dropped, next] of texts
    .join('\n')
    .replace(/--[^\n]*/g, '')
    .matchAll(MAKES)) {
    if (dropped !== undefined) tables.delete(dropped)
    const added = made ?? next
    if (added !== undefined) tables.add(added)
  }
  return tables
}

const MAKES =
  /create (?:unlogged )?table (?:if not exists )?(?:\w+\.)?(\w+)(?!\w|\s+partition of)|(?:drop table|alter table) (?:if exists )?(?:\w+\.)?(\w+)(?:\s*;|\s+rename to (\w+))/gi

if (import.meta.main) {
  const { statements, fragments, problems } = await readStatements()
  const judged = judgeOwners(await readTables(), await readManifests(), statements, fragments)
  for (const problem of [...problems, ...judged.problems]) process.stdout.write(`${problem}\n`)
  const found = problems.length + judged.problems.length
  process.stdout.write(
    `${statements.length} statements, ${judged.foreignReads} foreign reads (${judged.laterReads} of later modules), ${judged.foreignWrites} foreign writes (${judged.toolWrites} more by the seed), ${found} problems\n`,
  )
  process.exitCode = found === 0 ? 0 : 1
}
