import type { Route } from '#http/route.ts'
import type { Credential } from '../matrix/credentials.ts'
import { acceptedBodies, type Places, placeFor } from './sample-body.ts'

export type Swept = {
  /** The operations that changed data that only people may change. */
  readonly moved: readonly string[]
  /** All statuses of each operation. */
  readonly statusesByOperation: ReadonlyMap<string, ReadonlySet<number>>
}

type Around = {
  readonly url: string
  readonly credentials: readonly Credential[]
  readonly places: Places
  /** Returns all data that only people may change, as one text. */
  readonly watch: () => Promise<string>
}

/** Calls every route with every credential and every body. Checks after each call whether the data changed. */
export async function sweep(routes: readonly Route[], around: Around): Promise<Swept> {
  const { url, credentials, watch } = around
  const places = { ...around.places }
  const [moved, statusesByOperation] = [new Set<string>(), new Map<string, Set<number>>()]
  let before = await watch()
  for (const route of endingsLast(routes)) {
    for (const { authorization } of credentials) {
      for (const body of acceptedBodies(route, places)) {
        const { status, made } = await call(url + addressOf(route, places), { route, authorization, body })
        statusesByOperation.set(route.operation, (statusesByOperation.get(route.operation) ?? new Set()).add(status))
        if (made !== null) places[prefixOf(made)] ??= made
        const after = await watch()
        if (after !== before) moved.add(route.operation)
        before = after
      }
    }
  }
  return { moved: [...moved], statusesByOperation }
}

/** Sorts routes: DELETE comes after all other methods, and DELETE of the app's own access comes last. */
function endingsLast(routes: readonly Route[]): Route[] {
  const rank = ({ method, path }: Route) => (method !== 'DELETE' ? 0 : /install|connected/.test(path) ? 2 : 1)
  return routes.toSorted((a, b) => rank(a) - rank(b) || a.path.length - b.path.length)
}

const prefixOf = (id: string) => id.slice(0, id.indexOf('_') + 1)

function addressOf({ path, schema }: Route, places: Places): string {
  const { properties = {} } = (schema.params ?? {}) as { properties?: Record<string, { pattern?: string }> }
  return path.replace(/:(\w+)/g, (_, name: string) => placeFor(properties[name]?.pattern, places) ?? `no_${name}`)
}

type Call = { readonly route: Route; readonly authorization: string | null; readonly body: unknown }

async function call(address: string, { route, authorization, body }: Call) {
  const response = await fetch(address, {
    method: route.method,
    headers: {
      authorization: authorization ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, made: response.ok ? idIn(text) : null }
}

function idIn(text: string): string | null {
  if (!text.startsWith('{')) return null
  const id = (JSON.parse(text) as { data?: { id?: unknown } }).data?.id
  return typeof id === 'string' && id.includes('_') ? id : null
}
