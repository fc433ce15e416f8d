import { DISTRICT_NAMES, folderOf, MODULE_ORDER, moduleOf } from './districts.ts'
import type { Edge } from './graph.ts'
import type { SourceFile } from './source-file.ts'

export type Violation = { readonly rule: string; readonly path: string; readonly line: number; readonly what: string }

/** Workspaces that a production install leaves out. */
const OPTIONAL_WORKSPACES = ['demo', 'embedded-postgres']

const FOUNDATION = ['kernel', 'system', 'http', 'pages']
/** The layers that each layer may import. All districts are one layer; the order of modules decides between them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: ['kernel'],
  system: ['kernel', 'system'],
  http: ['kernel', 'system', 'http'],
  pages: FOUNDATION,
  ...Object.fromEntries(DISTRICT_NAMES.map((district) => [district, [...FOUNDATION, ...DISTRICT_NAMES]])),
  demo: ['kernel', 'system', ...DISTRICT_NAMES, 'demo'],
  main: [...FOUNDATION, ...DISTRICT_NAMES, ...OPTIONAL_WORKSPACES, 'main'],
  'embedded-postgres': ['embedded-postgres'],
  // Partners install the SDK, so it may use the service only over HTTP.
  sdk: ['sdk'],
  portal: ['portal'],
  cli: ['cli', 'sdk'],
  examples: ['examples', 'sdk'],
}

type EdgeRule = { readonly rule: string; readonly broken: (edge: Edge) => string | undefined }

/** Rules for production code. Tests may import anything, except that the acceptance suite imports nothing of `server/src`. */
const EDGE_RULES: readonly EdgeRule[] = [
  {
    rule: 'kernel-imports-nothing',
    broken: ({ from, to, ours }) =>
      layerOf(from) === 'kernel' && !ours ? `the kernel is pure, and ${to} is not` : undefined,
  },
  {
    rule: 'layers-point-inwards',
    broken: ({ from, to }) => {
      const [layer, target] = [layerOf(from), layerOf(to)]
      if (layer === undefined || target === undefined) return undefined
      return MAY_IMPORT[layer]?.includes(target) ? undefined : `${layer} must not import ${target} (${to})`
    },
  },
  {
    rule: 'public-files-of-modules-only',
    broken: ({ from, to }) => {
      const [module, target] = [moduleOf(from) ?? (layerOf(from) === 'demo' ? 'demo' : undefined), moduleOf(to)]
      if (module === undefined || target === undefined || module === target) return undefined
      const isPublicFile = to === `${folderOf(target)}/index.ts` || to === `${folderOf(target)}/http.ts`
      return isPublicFile ? undefined : `only index.ts and http.ts of ${target} may be imported by other modules`
    },
  },
  {
    rule: 'modules-import-earlier-modules',
    broken: ({ from, to }) => {
      const [module, target] = [moduleOf(from), moduleOf(to)]
      if (module === undefined || target === undefined || module === target) return undefined
      return MODULE_ORDER.indexOf(target) < MODULE_ORDER.indexOf(module)
        ? undefined
        : `${module} must not import ${target}, which is not listed before it`
    },
  },
  {
    rule: 'server-imports-no-other-workspace',
    broken: ({ from, to, ours, isDynamic }) => {
      if (!from.startsWith('server/src/') || !ours || to.startsWith('server/')) return undefined
      const isOptionalDoor = OPTIONAL_WORKSPACES.some((workspace) => to === `${workspace}/index.ts`)
      return layerOf(from) === 'main' && isDynamic && isOptionalDoor
        ? undefined
        : `${to} belongs to another workspace, without which the server must run`
    },
  },
  {
    rule: 'source-never-imports-tests',
    broken: ({ from, to }) =>
      layerOf(from) !== undefined && (TEST_FOLDER.test(to) || TEST_FILE.test(to) || TEST_TOOLS.has(to))
        ? `${to} is for tests`
        : undefined,
  },
  {
    rule: 'sql-lives-in-stores',
    broken: ({ from, to, values }) => {
      if (layerOf(from) === undefined || STORE.test(from) || from.startsWith(POSTGRES)) return undefined
      const takes = values.filter((name) => name === '*' || STATEMENT_MAKERS.has(name))
      return to === `${POSTGRES}statement.ts` && takes.length > 0
        ? `${takes.join(', ')}: a statement belongs in a file named store.ts or …-store.ts`
        : undefined
    },
  },
  {
    rule: 'driver-stays-in-postgres',
    broken: ({ from, to }) =>
      layerOf(from) !== undefined && to === 'pg' && !DRIVER_HOMES.some((home) => from.startsWith(home))
        ? 'queries go through a statement, not through the driver'
        : undefined,
  },
]

/** A test, or a helper for tests. */
const TEST_FILE = /\.(test|proof)\.ts$|\/testing\//
const TEST_FOLDER = /^(server|sdk|cli|examples)\/test\//
const TEST_TOOLS = new Set(['vitest', 'fast-check'])
const STORE = /(^|\/)([a-z0-9-]+-)?store\.ts$/
const POSTGRES = 'server/src/system/postgres/'
const DRIVER_HOMES = [POSTGRES, 'embedded-postgres/', 'cli/']
const STATEMENT_MAKERS = new Set(['statement', 'gatheredStatement', 'platformStatement', 'shortStatement'])
const ENVIRONMENT_READERS: Readonly<Record<string, string>> = {
  cli: 'cli/src/environment.ts',
  portal: 'portal/vite.config.ts',
}
const ENVIRONMENT_READER = 'server/src/main/config.ts'

export function brokenByImport(edge: Edge): readonly Violation[] {
  if (isTest(edge.from)) return brokenByAcceptance(edge)
  return EDGE_RULES.flatMap(({ rule, broken }) => {
    const what = broken(edge)
    return what === undefined ? [] : { rule, path: edge.from, line: edge.line, what }
  })
}

function brokenByAcceptance({ from, to, line }: Edge): readonly Violation[] {
  const rule = 'acceptance-speaks-http'
  if (!from.startsWith('server/test/acceptance/') || !to.startsWith('server/src/')) return []
  return [
    { rule, path: from, line, what: `the acceptance suite must use the service over HTTP only, and not import ${to}` },
  ]
}

export function brokenByFile({ path, environmentReads }: SourceFile): readonly Violation[] {
  if (isTest(path)) return []
  const rule = 'one-reader-of-the-environment'
  const layer = layerOf(path)
  const reader = ENVIRONMENT_READERS[layer ?? ''] ?? ENVIRONMENT_READER
  const reads = layer !== undefined && layer !== 'examples' && path !== reader ? environmentReads : []
  return [
    ...reads.map((line) => ({ rule, path, line, what: `only ${reader} may read process.env and pass its values on` })),
    ...placeProblems(path),
  ]
}

function placeProblems(path: string): readonly Violation[] {
  const module = moduleOf(path)
  const layer = path.startsWith('server/src/') ? (layerOf(path) ?? '') : undefined
  const rule = 'everything-has-its-place'
  if (module !== undefined && !MODULE_ORDER.includes(module)) {
    return [{ rule, path, line: 1, what: `the module ${module} is not listed in the order of modules` }]
  }
  if (layer !== undefined && !Object.hasOwn(MAY_IMPORT, layer)) {
    return [{ rule, path, line: 1, what: 'this folder of server/src belongs to no layer' }]
  }
  return []
}

function isTest(path: string): boolean {
  return TEST_FILE.test(path) || TEST_FOLDER.test(path)
}

/** A folder of `server/src`, or a workspace that is part of the product. */
function layerOf(path: string): string | undefined {
  const [, layer, workspace] =
    /^(?:server\/src\/([^/]+)|(demo|embedded-postgres|sdk|cli|examples|portal))\//.exec(path) ?? []
  return layer ?? workspace
}
