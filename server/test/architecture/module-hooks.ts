import { type Node, parseSync, Visitor } from 'oxc-parser'

/** Functions of vitest that act on the file that vitest collects, or on the running test. */
const REGISTERS = new Set([
  ...['beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'aroundAll', 'aroundEach'],
  ...['onTestFinished', 'onTestFailed'],
  ...['describe', 'suite', 'test', 'it'],
])

/**
 * Returns the calls of vitest that run when the module is loaded, each as `line name`. A call within a function is
 * allowed, because the function's caller decides when it runs.
 */
export function hooksOfModule(path: string, text: string): readonly string[] {
  const { program, module } = parseSync(path, text)
  const names = new Map<string, string>()
  for (const { moduleRequest, entries } of module.staticImports) {
    if (moduleRequest.value !== 'vitest') continue
    for (const { localName, importName } of entries) names.set(localName.value, importName.name ?? '*')
  }
  const found: string[] = []
  let functionsDeep = 0
  const enter = () => void functionsDeep++
  const leave = () => void functionsDeep--
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression({ callee, start }) {
      const name = calledOfVitest(callee, names)
      if (functionsDeep === 0 && name !== undefined && REGISTERS.has(name)) {
        found.push(`${text.slice(0, start).split('\n').length} ${name}`)
      }
    },
  }).visit(program)
  return found
}

/**
 * Returns the name of the vitest function that is called, or undefined. All these calls count: `afterAll()`, `hook()`
 * with `import { afterAll as hook }`, `test.each([])()` and `vitest.afterAll()`.
 */
function calledOfVitest(callee: Node, names: ReadonlyMap<string, string>): string | undefined {
  if (callee.type === 'Identifier') return names.get(callee.name)
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined
  const name = names.get(callee.object.name)
  return name === '*' && callee.property.type === 'Identifier' ? callee.property.name : name
}
