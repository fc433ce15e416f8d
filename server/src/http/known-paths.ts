import { type BrowserAccess, browserAccess } from './cors.ts'
import type { ErrorStyle, Route } from './route.ts'

const ALIAS_PREFIX = '/api/v2'

/** The paths of a route: its own, and for API routes also the older prefix. */
export function pathsOf(route: Route): readonly string[] {
  return route.alias === false ? [route.path] : [route.path, ALIAS_PREFIX + route.path]
}

export type KnownPath = {
  /** The methods of the path, for the Allow header. */
  readonly methods: readonly string[]
  readonly browsers: BrowserAccess | null
  readonly errorsAs: ErrorStyle
}

type Pattern = { readonly segments: readonly string[]; readonly route: Route }

/**
 * Distinguishes an unknown path (404) from a known path with another method (405). Only requests that the router did
 * not match need it, so a scan over all patterns is fast enough.
 */
export function knownPaths(routes: readonly Route[]): (path: string) => KnownPath | null {
  const patterns: Pattern[] = routes.flatMap((route) =>
    pathsOf(route).map((path) => ({ segments: path.split('/'), route })),
  )
  return (path) => {
    const segments = path.split('/')
    const here = patterns.filter((pattern) => fits(pattern.segments, segments)).map(({ route }) => route)
    const [first] = here
    if (first === undefined) return null
    const methods = new Set<string>(here.map(({ method }) => method))
    if (methods.has('GET')) methods.add('HEAD')
    methods.add('OPTIONS')
    return {
      methods: [...methods].sort(),
      browsers: browserAccess(here),
      errorsAs: first.errorsAs ?? 'envelope',
    }
  }
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1)?.startsWith('*')) {
    return path.length >= pattern.length && fits(pattern.slice(0, -1), path.slice(0, pattern.length - 1))
  }
  if (path.length !== pattern.length) return false
  return pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]))
}
