import { posix } from 'node:path'
import type { Import, SourceFile } from './source-file.ts'

/**
 * How imports name our own files: `#kernel/*` → `server/src/kernel/*` and `@portico/demo` → `demo/index.ts`. The
 * aliases are read from the `imports` and `exports` of the workspaces, so they cannot differ from what Node resolves.
 */
export type Aliases = Readonly<Record<string, string>>

export type Edge = {
  readonly from: string
  /** The path from the root if the file is our own, otherwise the package or `node:` module. */
  readonly to: string
  readonly ours: boolean
  readonly values: readonly string[]
  readonly isDynamic: boolean
  readonly line: number
}

export function edgesOf(file: SourceFile, aliases: Aliases): readonly Edge[] {
  return file.imports.map((imported) => {
    const target = ownPath(file.path, imported.specifier, aliases)
    const { values, line, isDynamic = false } = imported
    return { from: file.path, to: target ?? packageOf(imported), ours: target !== undefined, values, isDynamic, line }
  })
}

function ownPath(from: string, specifier: string, aliases: Aliases): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  for (const [alias, target] of Object.entries(aliases)) {
    if (alias === specifier) return target
    const [before = '', after] = alias.split('*')
    if (after === undefined || !specifier.startsWith(before) || !specifier.endsWith(after)) continue
    return target.replace('*', specifier.slice(before.length, specifier.length - after.length))
  }
  return undefined
}

function packageOf({ specifier }: Import): string {
  if (specifier.startsWith('node:')) return specifier
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Circular imports, each as `a → b → a`. */
export function circles(edges: readonly Edge[]): readonly string[] {
  const targets = Map.groupBy(
    edges.filter(({ ours }) => ours),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const found: string[] = []

  function visit(path: string, trail: readonly string[]): void {
    const at = trail.indexOf(path)
    if (at >= 0) found.push([...trail.slice(at), path].join(' → '))
    if (at >= 0 || done.has(path)) return
    for (const { to } of targets.get(path) ?? []) visit(to, [...trail, path])
    done.add(path)
  }

  for (const path of targets.keys()) visit(path, [])
  return found
}
