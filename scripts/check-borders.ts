import { glob, readFile } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { type Aliases, circles, edgesOf } from './borders/graph.ts'
import { brokenByFile, brokenByImport } from './borders/rules.ts'
import { parseSource } from './borders/source-file.ts'

/** Paths from the project's root to their text. */
export type Sources = ReadonlyMap<string, string>

/** Checks which file may import which (ARCHITECTURE.md). Returns one line per violation. */
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
  const patterns = [...(await readWorkspaces(root)), 'scripts'].map((folder) => `${folder}/**/*.{ts,tsx}`)
  const sources = new Map<string, string>()
  for await (const file of glob(patterns, { cwd: root, exclude: ['**/node_modules/**'] })) {
    sources.set(file.replaceAll(sep, '/'), await readFile(join(root, file), 'utf8'))
  }
  return sources
}

type PackageFile = { readonly name: string; readonly imports?: Aliases; readonly exports?: Aliases }

/** How files of one workspace name their own files (`imports`) and those of another workspace (`exports`). */
export async function readAliases(root: string): Promise<Aliases> {
  const found = await Promise.all(
    (await readWorkspaces(root)).map(async (folder) => {
      const manifest: PackageFile = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
      const inside = Object.entries(manifest.imports ?? {})
      const outside = Object.entries(manifest.exports ?? {})
      const named = [...inside, ...outside.map(([path, target]) => [posix.join(manifest.name, path), target] as const)]
      return named.map(([alias, target]) => [alias, posix.join(folder, target)])
    }),
  )
  return Object.fromEntries(found.flat())
}

async function readWorkspaces(root: string): Promise<readonly string[]> {
  const { workspaces }: { workspaces: readonly string[] } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  return workspaces
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const sources = await readSources(root)
  const problems = brokenBorders(sources, await readAliases(root))
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${sources.size} files, ${problems.length} borders broken\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
