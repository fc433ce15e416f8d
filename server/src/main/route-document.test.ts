import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describedRoutes, routeDocument } from './generated-documents.ts'

test('every route with its access is in docs/routes.md: who may call what changes only with a line in review', async () => {
  expect(routeDocument(describedRoutes())).toBe(
    await readFile(new URL('../../../docs/routes.md', import.meta.url), 'utf8'),
  )
})
