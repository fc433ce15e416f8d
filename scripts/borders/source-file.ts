import { type ParseResult, parseSync, Visitor } from 'oxc-parser'

export type Import = {
  /** The text in the file: `./store.ts`, `#kernel/ids.ts`, `node:fs`, `pg`. */
  readonly specifier: string
  /** The names that are imported as values; `*` stands for the whole module or its default export. Imported types are not listed. */
  readonly values: readonly string[]
  /** `import('…')`, which loads the module only when it runs. */
  readonly isDynamic?: true
  readonly line: number
}

export type SourceFile = {
  /** The path from the project's root, with forward slashes. */
  readonly path: string
  readonly imports: readonly Import[]
  /** Lines that use `process.env`. */
  readonly environmentReads: readonly number[]
}

/**
 * Finds every import of a file, in every syntax, including imports of types. We use oxc instead of dependency-cruiser:
 * dependency-cruiser needs TypeScript's JavaScript API, which TypeScript 7 no longer has, and the other parsers that
 * dependency-cruiser can use fail at `using`.
 */
export function parseSource(path: string, text: string): SourceFile {
  const result = parseSync(path, text)
  const [error] = result.errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const found = walk(result, lineAt)
  const dynamic = result.module.dynamicImports.map(({ start, moduleRequest }) => ({
    specifier: text.slice(moduleRequest.start, moduleRequest.end).replace(/^(['"`])(.*)\1$/, '$2'),
    values: ['*'],
    isDynamic: true as const,
    line: lineAt(start),
  }))
  const imports = [...staticImports(result, lineAt), ...reExports(result, lineAt), ...dynamic, ...found.typeImports]
  return { path, imports, environmentReads: found.environmentReads }
}

type LineAt = (offset: number) => number

function staticImports({ module }: ParseResult, lineAt: LineAt): Import[] {
  return module.staticImports.map(({ start, moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    values: entries.filter(({ isType }) => !isType).map(({ importName }) => importName.name ?? '*'),
    line: lineAt(start),
  }))
}

function reExports({ module }: ParseResult, lineAt: LineAt): Import[] {
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ start, moduleRequest, importName, isType }) =>
      moduleRequest === null
        ? []
        : { specifier: moduleRequest.value, values: isType ? [] : [importName.name ?? '*'], line: lineAt(start) },
    ),
  )
}

/** Finds imports and reads that the parser's module record lacks: `import('./x.ts').Type`, and reads of the environment. */
function walk({ program }: ParseResult, lineAt: LineAt): { typeImports: Import[]; environmentReads: number[] } {
  const typeImports: Import[] = []
  const environmentReads: number[] = []
  new Visitor({
    TSImportType({ source, start }) {
      typeImports.push({ specifier: source.value, values: [], line: lineAt(start) })
    },
    MemberExpression({ object, property, start }) {
      const ofProcess =
        (object.type === 'Identifier' && object.name === 'process') ||
        (object.type === 'MemberExpression' &&
          object.property.type === 'Identifier' &&
          object.property.name === 'process')
      const named = property.type === 'Identifier' ? property.name : property.type === 'Literal' && property.value
      if (ofProcess && named === 'env') environmentReads.push(lineAt(start))
    },
    VariableDeclarator({ id, init, start }) {
      if (init?.type !== 'Identifier' || init.name !== 'process' || id.type !== 'ObjectPattern') return
      const names = id.properties.map((property) => property.type === 'Property' && property.key)
      if (names.some((key) => key && key.type === 'Identifier' && key.name === 'env'))
        environmentReads.push(lineAt(start))
    },
    ImportDeclaration({ source, specifiers, start }) {
      if (source.value !== 'node:process' && source.value !== 'process') return
      const names = specifiers.map((specifier) => specifier.type === 'ImportSpecifier' && specifier.imported)
      if (names.some((name) => name && name.type === 'Identifier' && name.name === 'env'))
        environmentReads.push(lineAt(start))
    },
  }).visit(program)
  return { typeImports, environmentReads }
}
