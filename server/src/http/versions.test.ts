import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { open, user } from './access.ts'
import { route } from './route.ts'
import { readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe, respondsOk } from './testing/probe-route.ts'
import { stepsOf, type VersionStep } from './version-steps.ts'
import { behaviour } from './versions.ts'

const Thing = Type.Object({ id: Type.String(), size: Type.Integer() })

type Fields = Record<string, unknown>

/** Before 2026-11-01 a record is wrapped, and before 2026-10-01 its size is text. */
const STEPS: readonly VersionStep[] = [
  {
    name: 'flat things',
    before: '2026-11-01',
    operations: ['makeThing'],
    response: (body) => ({ thing: body }),
    request: (body) => (body['thing'] as Fields | undefined) ?? body,
  },
  {
    name: 'sizes as numbers',
    before: '2026-10-01',
    operations: 'all',
    response: (body) => {
      const { thing } = body as { thing: Fields }
      return { thing: { ...thing, size: String(thing['size']) } }
    },
    request: (body) => {
      const thing = body['thing'] as Fields | undefined
      return thing === undefined ? body : { thing: { ...thing, size: Number(thing['size']) } }
    },
  },
]

let edge: ProbeApp
beforeAll(async () => {
  const routes = [
    route({
      ...probe,
      operation: 'makeThing',
      method: 'POST',
      path: '/things',
      access: user('write:things'),
      schema: { body: Thing, response: { 200: Thing } },
      // A row with more fields than the schema declares. No version may show them.
      handler: async ({ body }) => ({ status: 200, body: Object.assign({ secret: 'hunter2' }, body) }),
    }),
    route({ ...probe, ...respondsOk, operation: 'open', method: 'GET', path: '/open', access: open('a probe') }),
  ]
  edge = await serveProbes(routes, { settings: { versionSteps: STEPS } })
})
afterAll(() => edge.close())

const post = (body: unknown, version?: string, bearer = 'at_test_user') =>
  fetch(`${edge.url}/things`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      ...(version === undefined ? {} : { 'wefunder-version': version }),
    },
  })

describe('the version of a request', () => {
  test('is the version in the header', async () => {
    const response = await post({ thing: { id: 'a', size: 1 } }, '2026-10-01')
    expect(response.headers.get('wefunder-version')).toBe('2026-10-01')
    expect(response.headers.get('wefunder-version-latest')).toBe('2026-11-01')
  })

  test('is the version of the app if the request has no header', async () => {
    const response = await post({ thing: { id: 'a', size: '1' } }, undefined, 'at_test_pinned')
    expect(response.headers.get('wefunder-version')).toBe('2025-01-15')
  })

  test('is the version in the header, even if the app is pinned to another version', async () => {
    const response = await post({ id: 'a', size: 1 }, '2026-11-01', 'at_test_pinned')
    expect([response.status, response.headers.get('wefunder-version')]).toEqual([200, '2026-11-01'])
  })

  test('is the newest version without the header, if no app is pinned to an older version', async () => {
    expect((await post({ id: 'a', size: 1 })).headers.get('wefunder-version')).toBe('2026-11-01')
    expect((await fetch(`${edge.url}/open`)).headers.get('wefunder-version')).toBe('2026-11-01')
  })

  test.each(['2026-10-02', 'latest', '2025-01-15, 2026-11-01', ''])(
    'gives 400 for %j, with the known versions',
    async (version) => {
      for (const response of [
        await post({}, version),
        await fetch(`${edge.url}/open`, { headers: { 'wefunder-version': version } }),
      ]) {
        const error = await readError(response)
        expect([response.status, error.type]).toEqual([400, 'invalid_request'])
        for (const known of ['2025-01-15', '2026-10-01', '2026-11-01']) expect(error.message).toContain(known)
        expect(response.headers.get('wefunder-version')).toBe('2026-11-01')
      }
    },
  )

  test('errors before the caller is known use the requested version', async () => {
    const response = await fetch(`${edge.url}/nowhere`, { headers: { 'wefunder-version': '2025-01-15' } })
    expect(response.headers.get('wefunder-version')).toBe('2025-01-15')
  })
})

describe('shapes', () => {
  test.each([
    ['2026-11-01', { id: 'a', size: 7 }],
    ['2026-10-01', { thing: { id: 'a', size: 7 } }],
    ['2025-01-15', { thing: { id: 'a', size: '7' } }],
  ])(
    'the form of %s is used in requests and responses, and undeclared fields are never shown',
    async (version, shape) => {
      const response = await post(shape, version)
      expect([response.status, await response.json()]).toEqual([200, shape])
    },
  )

  test('the newest version rejects the form of an older version', async () => {
    expect((await post({ thing: { id: 'a', size: 7 } }, '2026-11-01')).status).toBe(422)
  })

  test('steps of one version apply in the list’s order to responses and backwards to requests', () => {
    const step = (name: string): VersionStep => ({
      name,
      before: '2026-11-01',
      operations: 'all',
      response: (body) => `${body}${name}`,
      request: (body) => ({ seen: `${body['seen']}${name}` }),
    })
    const steps = stepsOf('any', [step('1'), step('2')])
    expect(steps.response('2026-10-01', '', 200)).toBe('12')
    expect(steps.request('2026-10-01', { seen: '' })).toEqual({ seen: '21' })
    expect(steps.request('2026-10-01', [1])).toEqual([1])
    expect(steps.response('2026-11-01', '', 200)).toBe('')
  })
})

describe('behaviours', () => {
  test('unknown fields of a body are rejected in the newest version and ignored in older ones', async () => {
    expect(behaviour('2026-11-01').unknownBodyFields).toBe('refused')
    const rejected = await post({ id: 'a', size: 7, colour: 'red' }, '2026-11-01')
    expect(rejected.status).toBe(422)
    expect((await readError(rejected)).details).toEqual({
      fields: [{ field: 'colour', code: 'unknown_field', message: 'is not a field of this request' }],
    })
    expect((await post({ thing: { id: 'a', size: 7, colour: 'red' } }, '2026-10-01')).status).toBe(200)
  })

  test('only in the newest version installation tokens expire and users’ own installations are shown', () => {
    expect(behaviour('2026-11-01')).toMatchObject({ installationTokens: 'expiring', userInstallations: 'shown' })
    for (const version of ['2026-10-01', '2025-01-15'] as const) {
      expect(behaviour(version)).toMatchObject({ installationTokens: 'permanent', userInstallations: 'left_out' })
    }
  })
})
