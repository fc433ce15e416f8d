import { type BrowserAccess, browserAccess } from './cors.ts'
import type { ErrorStyle, Route } from './route.ts'

const ALIAS_PREFIX = '/api/v2'

/** Where a route is served: at its path, and for the API proper under the older prefix too. */
export function pathsOf(route: Route): readonly string[] {
  return route.alias === false ? [route.path] : [route.path, ALIAS_PREFIX + route.path]
}

export type KnownPath = {
  /** What may be asked of the path, as the Allow header lists it. */
  readonly methods: readonly string[]
  readonly browsers: BrowserAccess | null
  readonly errorsAs: ErrorStyle
}

type Pattern = { readonly segments: readonly string[]; readonly route: Route }

/**
 * Tells a path nobody serves (404) from one that is served under another method (405). Only asked about requests the
 * router did not place, so a scan over the patterns of the same length is quick enough.
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
  if (path.length !== pattern.length) return false
  return pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]))
}
