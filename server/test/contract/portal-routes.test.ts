import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Method, refusalOf, type Send, sender } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/** Calls every route under an app's path in the portal, with the document's examples, as people who may not call it. */

const APP = '/portal/api/apps/{app_id}'

type Operation = {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}
type Route = { readonly method: Method; readonly template: string; readonly path: string; readonly body: unknown }

let stage: Stage
let app: App
let routes: readonly Route[]
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: ['read:profile'] })
  routes = await routesOf(app)
})
afterAll(() => stage.close())

async function routesOf({ id }: App): Promise<readonly Route[]> {
  const { paths } = (await (await fetch(`${stage.service.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  return Object.entries(paths)
    .filter(([template]) => template === APP || template.startsWith(`${APP}/`))
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        ...{ method: method.toUpperCase() as Method, template },
        path: parameters
          .filter((one) => one.in === 'path' && one.name !== 'app_id')
          .reduce((path, { name, example }) => path.replace(`{${name}}`, String(example)), template)
          .replace('{app_id}', id),
        body: Object.values(requestBody?.content ?? {})[0]?.example,
      })),
    )
}

type CallOptions = { readonly of?: readonly Route[]; readonly send: Send }

/** Calls each route, and returns its name and its rejection. */
async function rejectionsOf({ of = routes, send }: CallOptions): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = []
  for (const { method, template, path, body } of of) {
    found.push([`${method} ${template}`, refusalOf(await send(method, path, body))])
  }
  return found
}

const everyRouteWith = (of: readonly Route[], refusal: string) =>
  of.map(({ method, template }) => [`${method} ${template}`, refusal])
const changing = () => routes.filter(({ method }) => method !== 'GET')
const cookieOf = ({ browser }: Person) => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

describe('every route of an app in the portal', () => {
  test('is 404 for a stranger, for the owner of another organization and for a former member of the team', async () => {
    const left = await stage.member(app.team, 'admin')
    await app.team.owner.portal('DELETE', `/portal/api/organizations/${app.team.organization}/members/${left.account}`)
    expect(routes.length).toBeGreaterThan(90)
    for (const { portal } of [await stage.person(), (await stage.app()).team.owner, left]) {
      expect(await rejectionsOf({ send: portal })).toEqual(everyRouteWith(routes, '404 not_found'))
    }
  })

  test('is 401 without a session', async () => {
    const send = sender(stage.service.url, { origin: stage.service.url })
    expect(await rejectionsOf({ send })).toEqual(everyRouteWith(routes, '401 invalid_token'))
  })

  test('changes nothing without the CSRF token, or from another origin', async () => {
    const { owner } = app.team
    const me = await owner.portal('GET', '/portal/api/me')
    const cookie = cookieOf(owner)
    for (const headers of [
      { cookie, origin: stage.service.url },
      { cookie, origin: 'https://elsewhere.example', 'x-portico-csrf': String(me.meta['csrf']) },
    ]) {
      const send = sender(stage.service.url, headers)
      expect(await rejectionsOf({ of: changing(), send })).toEqual(everyRouteWith(changing(), '403 forbidden'))
    }
  })

  test('is 403 for a developer only if it disables, enables or deletes the app', async () => {
    const { portal } = await stage.member(app.team, 'developer')
    const safe = routes.filter(({ template }) => !template.endsWith('/stream'))
    const refused = (await rejectionsOf({ of: safe, send: portal })).filter(
      ([, refusal]) => refusal === '403 forbidden',
    )
    expect(refused.map(([route]) => route).toSorted()).toEqual([
      `DELETE ${APP}`,
      `POST ${APP}/disable`,
      `POST ${APP}/enable`,
    ])
  })

  test('rejects every change in an ended organization', async () => {
    const ended = await stage.app()
    const of = (await routesOf(ended)).filter(({ method }) => method !== 'GET')
    await stage.operator('POST', `/platform/organizations/${ended.team.organization}/end`, { reason: 'A test.' })
    for (const { method, path, body, template } of of) {
      const { status } = await ended.team.owner.portal(method, path, body)
      expect([template, status]).toEqual([template, expect.toSatisfy((code: number) => code >= 400 && code < 500)])
    }
  })
})
