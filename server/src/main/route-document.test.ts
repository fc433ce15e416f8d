import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { factRules } from '#modules/facts/index.ts'
import { routeDocument } from './route-document.ts'
import { routeTable } from './routes.ts'

const never = () => Promise.reject(new Error('not served here'))
const routes = routeTable({
  brand: 'wefunder',
  health: { facts: never, metrics: never },
  facts: factRules(),
  sandbox: { reinstatementGraceDays: 7 },
})

test('every route with its access is in docs/routes.md: who may call what changes only with a line in review', async () => {
  expect(routeDocument(routes)).toBe(await readFile(new URL('../../../docs/routes.md', import.meta.url), 'utf8'))
})
