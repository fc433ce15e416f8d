import { ApiError } from '#kernel/errors.ts'

export type Params = Readonly<Record<string, string>>

export type Found<Served> = { readonly served: Served; readonly params: Params }

type Leaf<Served> = { readonly served: Served; readonly names: readonly string[] }

type Place<Served> = {
  readonly next: Map<string, Place<Served>>
  /** The branch of a parameter. */
  any: Place<Served> | null
  /** The branches of parameters with a fixed ending, such as `:slug.md`, by that ending. */
  readonly endings: Map<string, Place<Served>>
  /** The routes that match the whole rest of a path, such as `/developers/*path`. */
  readonly rest: Map<string, Leaf<Served>>
  readonly leaves: Map<string, Leaf<Served>>
}

const place = <Served>(): Place<Served> => ({
  next: new Map(),
  any: null,
  endings: new Map(),
  rest: new Map(),
  leaves: new Map(),
})

/**
 * Finds the route of a method and path, segment by segment. A fixed word takes precedence over a parameter in the same place
 * (`/companies/search` before `/companies/:id`), and a parameter matches any non-empty segment. A parameter with an ending
 * (`/guides/:slug.md`) takes precedence over a parameter without one, and matches the text before the ending. A pattern may end
 * with `*name`, which matches one or more segments that no other pattern matches.
 */
export class Router<Served> {
  readonly #root = place<Served>()

  add(method: string, pattern: string, served: Served): void {
    const names: string[] = []
    let at = this.#root
    for (const part of pattern.split('/')) {
      if (part.startsWith('*')) {
        this.#addLeaf(at.rest, { method, pattern }, { served, names: [...names, part.slice(1)] })
        return
      }
      if (part.startsWith(':')) {
        const [name = '', ending] = part.slice(1).split(/(?=\.)/)
        names.push(name)
        at = ending === undefined ? anyOf(at) : endingOf(at, ending)
      } else {
        const next = at.next.get(part) ?? place()
        at.next.set(part, next)
        at = next
      }
    }
    this.#addLeaf(at.leaves, { method, pattern }, { served, names })
  }

  #addLeaf(leaves: Map<string, Leaf<Served>>, { method, pattern }: Named, leaf: Leaf<Served>): void {
    if (leaves.has(method)) throw new Error(`${method} ${pattern} is served twice`)
    leaves.set(method, leaf)
  }

  /** HEAD uses the route of GET. */
  find(method: string, path: string): Found<Served> | null {
    const segments = segmentsOf(path)
    const taken: string[] = []
    const leaf = walk(this.#root, { segments, taken, method: method === 'HEAD' ? 'GET' : method }, 0)
    if (leaf === null) return null
    const params: Record<string, string> = {}
    for (let at = 0; at < leaf.names.length; at++) params[leaf.names[at] ?? ''] = taken[at] ?? ''
    return { served: leaf.served, params }
  }
}

function anyOf<Served>(at: Place<Served>): Place<Served> {
  at.any ??= place()
  return at.any
}

function endingOf<Served>({ endings }: Place<Served>, ending: string): Place<Served> {
  const found = endings.get(ending) ?? place()
  endings.set(ending, found)
  return found
}

type Named = { readonly method: string; readonly pattern: string }

type Walk = { readonly segments: readonly string[]; readonly taken: string[]; readonly method: string }

function walk<Served>(from: Place<Served>, wanted: Walk, at: number): Leaf<Served> | null {
  const { segments, method } = wanted
  const segment = segments[at]
  if (segment === undefined) return from.leaves.get(method) ?? null
  const written = from.next.get(segment)
  const found = written === undefined ? null : walk(written, wanted, at + 1)
  return found ?? walkParameter(from, wanted, at) ?? walkRest(from, wanted, at)
}

function walkParameter<Served>({ any, endings }: Place<Served>, wanted: Walk, at: number): Leaf<Served> | null {
  const segment = wanted.segments[at] ?? ''
  for (const [ending, branch] of endings) {
    const value = segment.endsWith(ending) ? segment.slice(0, -ending.length) : ''
    const leaf = walkBranch(branch, wanted, { at, value })
    if (leaf !== null) return leaf
  }
  return walkBranch(any, wanted, { at, value: segment })
}

type Taken = { readonly at: number; readonly value: string }

function walkBranch<Served>(branch: Place<Served> | null, wanted: Walk, { at, value }: Taken): Leaf<Served> | null {
  if (branch === null || value === '') return null
  wanted.taken.push(value)
  const leaf = walk(branch, wanted, at + 1)
  if (leaf === null) wanted.taken.pop()
  return leaf
}

function walkRest<Served>({ rest }: Place<Served>, { segments, taken, method }: Walk, at: number): Leaf<Served> | null {
  const leaf = rest.get(method)
  if (leaf === undefined) return null
  taken.push(segments.slice(at).join('/'))
  return leaf
}

/** Splits the path first and then decodes the segments, so that an encoded slash is part of its segment. */
function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    throw new ApiError('invalid_request', { public: 'The path is not correctly percent-encoded.' })
  }
}
