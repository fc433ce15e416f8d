import { expect, test } from 'vitest'
import { openApiDocument } from '#http/openapi.ts'
import { systemClock } from '#kernel/clock.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { linkFollower } from '#referrals/index.ts'
import type { Databases } from '#system/postgres/database.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { catalogRoutes } from './http.ts'

/** The test needs no database, because it only reads the declarations of the routes. */
const routes = catalogRoutes({
  databases: {} as Databases,
  cursors: {} as CursorSealer,
  clock: systemClock,
  brand: 'wefunder',
  origin: () => '',
  followLink: linkFollower(REFERRAL_SETTINGS),
})

test.each(['/explore', '/offerings/{id}', '/companies/search', '/companies/{id}'])(
  'GET %s documents If-None-Match and ETag',
  (path) => {
    const { paths, components } = openApiDocument(routes, {
      title: 'Portico',
      brand: 'wefunder',
      baseUrl: 'https://api.example',
    })
    const operation = paths[path]?.get
    expect(operation?.parameters).toContainEqual({ $ref: '#/components/parameters/IfNoneMatch' })
    expect(components.parameters['IfNoneMatch']).toMatchObject({ name: 'If-None-Match', in: 'header', required: false })
    for (const status of ['200', '304']) {
      expect(operation?.responses[status]).toMatchObject({ headers: { ETag: { $ref: '#/components/headers/ETag' } } })
    }
  },
)
