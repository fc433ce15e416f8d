import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { forgetUser } from '#intake/facts/index.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { AHEAD_DAYS_MAX } from './clock-routes.ts'
import { sandboxRoutes } from './http.ts'
import { EVENTS_SHOWN_MAX } from './play-route.ts'
import { GRACE_DAYS } from './testing/sandbox.ts'

const page = await readFile(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8')

test('docs/sandbox.md lists exactly the existing routes', () => {
  const routes = sandboxRoutes({ ...FACT_SETTINGS, reinstatementGraceDays: GRACE_DAYS, forgetUser })
  const paths = routes
    .filter(({ path }) => path.startsWith('/sandbox'))
    .map(({ method, path }) => `${method} ${path.replace(':id', '{id}')}`)
  const named = [...page.matchAll(/`((?:GET|POST) \/sandbox\/[^`]+)`/g)].map(([, request]) => request)
  expect(named.sort()).toEqual(paths.sort())
})

test('docs/sandbox.md states the limits of the code', () => {
  for (const limit of [AHEAD_DAYS_MAX, EVENTS_SHOWN_MAX]) expect(page).toContain(limit.toLocaleString('en-US'))
})
