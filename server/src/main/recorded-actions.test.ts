import { expect, test } from 'vitest'
import { actionOf } from '#http/record-action.ts'
import { describedRoutes } from './generated-documents.ts'

const routes = describedRoutes()

test('every route with which an app changes something for a user is recorded in the user’s activity', () => {
  const unrecorded = routes.filter(
    (route) =>
      route.method !== 'GET' &&
      route.access.kind === 'token' &&
      route.access.holders.some((holder) => holder === 'user' || holder === 'installation') &&
      actionOf(route) === null,
  )
  // The sandbox acts as the platform, not as an app.
  expect(unrecorded.filter(({ path }) => !path.startsWith('/sandbox/'))).toEqual([])
})

test('a route that changes something in a transaction is never recorded as a read', () => {
  const reads = routes.filter(({ method, work }) => method === 'GET' && work !== 'handler')
  expect(reads.map(({ operation }) => operation)).toEqual([])
})

test('no two operations have the same name in the activity', () => {
  const names = routes.map(actionOf).filter((name) => name !== null)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  expect(names).toEqual(expect.arrayContaining(['profile.update', 'follows.create', 'installations.create']))
})
