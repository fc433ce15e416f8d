import { expect, test } from 'vitest'
import { actionOf } from '#http/record-action.ts'
import { describedRoutes } from './generated-documents.ts'

const routes = describedRoutes()

test('no route by which an app changes something for a user escapes the user’s activity', () => {
  const untold = routes.filter(
    (route) =>
      route.method !== 'GET' &&
      route.access.kind === 'token' &&
      route.access.holders.some((holder) => holder === 'user' || holder === 'installation') &&
      actionOf(route) === null,
  )
  // What the sandbox plays is the platform's doing.
  expect(untold.filter(({ path }) => !path.startsWith('/sandbox/'))).toEqual([])
})

test('what changes something by a transaction is never told as if it were a read', () => {
  const reads = routes.filter(({ method, work }) => method === 'GET' && work !== 'handler')
  expect(reads.map(({ operation }) => operation)).toEqual([])
})

test('two operations are never told under one name', () => {
  const names = routes.map(actionOf).filter((name) => name !== null)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  expect(names).toEqual(expect.arrayContaining(['profile.update', 'follows.create', 'installations.create']))
})
