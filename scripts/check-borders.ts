import { glob, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type Aliases, circles, edgesOf } from './borders/graph.ts'
import { brokenByFile, brokenByImport } from './borders/rules.ts'
import { parseSource } from './borders/source-file.ts'

/** Paths from the project's root to their text. */
export type Sources = ReadonlyMap<string, string>

/** Who may import whom (ARCHITECTURE.md), as one line per violation. */
export function brokenBorders(sources: Sources, aliases: Aliases): readonly string[] {
  const files = [...sources].map(([path, text]) => parseSource(path, text))
  const edges = files.flatMap((file) => edgesOf(file, aliases))
  const violations = [...edges.flatMap(brokenByImport), ...files.flatMap(brokenByFile)]
  return [
    ...violations.map(({ rule, path, line, what }) => `${path}:${line} ${rule}: ${what}`),
    ...circles(edges).map((circle) => `no-circles: ${circle}`),
  ]
}

/** Every TypeScript file of every workspace that package.json names, and the scripts. */
export async function readSources(root: string): Promise<Sources> {
  const { workspaces }: { workspaces: readonly string[] } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const patterns = [...workspaces, 'scripts'].map((folder) => `${folder}/**/*.ts`)
  const sources = new Map<string, string>()
  for await (const file of glob(patterns, { cwd: root, exclude: ['**/node_modules/**'] })) {
    sources.set(file.replaceAll(sep, '/'), await readFile(join(root, file), 'utf8'))
  }
  return sources
}

export async function readAliases(root: string): Promise<Aliases> {
  const manifest: { imports?: Aliases } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'))
  const entries = Object.entries(manifest.imports ?? {})
  return Object.fromEntries(entries.map(([alias, target]) => [alias, target.replace(/^\.\//, 'server/')]))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const sources = await readSources(root)
  const problems = brokenBorders(sources, await readAliases(root))
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${sources.size} files, ${problems.length} borders broken\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
