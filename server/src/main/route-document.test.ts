import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describedRoutes, routeDocument } from './generated-documents.ts'

test('docs/routes.md lists every route with its access rule, so that a changed rule shows up in review', async () => {
  expect(routeDocument(describedRoutes())).toBe(
    await readFile(new URL('../../../docs/routes.md', import.meta.url), 'utf8'),
  )
})
