import { useQuery } from '@tanstack/react-query'
import { client, read, type Schemas } from '../api/client.ts'
import type { Run } from './play.ts'

const ID = /\b([a-z]+)_[0-9A-Za-z]{24}\b/g
const EVENTS_READ = 100

/** The ids of one kind, those that were seen last first. */
export type KnownIds = (prefix: string) => readonly string[]

/** Ids to suggest: of the moves of this visit, the app's events, where it is installed, and investments that it reads there. */
export function useKnownIds(appId: string, runs: readonly Run[]): KnownIds {
  const path = { app_id: appId }
  const { data: seen = [] } = useQuery({
    queryKey: ['apps', appId, 'sandbox ids'],
    queryFn: async ({ signal }) => {
      const query = { mode: 'test', per_page: EVENTS_READ } as const
      const [events, installations] = await Promise.all([
        read(client.GET('/portal/api/apps/{app_id}/events', { signal, params: { path, query } })),
        read(client.GET('/portal/api/apps/{app_id}/installations', { signal, params: { path, query } })),
      ])
      const payloads = events.data.map(({ attributes }) => attributes.payload['data'])
      const records = await recordsOf(appId, installations.data, signal)
      return idsIn([payloads, installations.data.map(({ target }) => target.id), records])
    },
  })
  const own = idsIn(runs.map(({ recordId }) => recordId))
  return (prefix) => [...new Set([...own, ...seen])].filter((id) => id.startsWith(`${prefix}_`))
}

type Installation = Schemas['Installation']

/** Some investments of a company that the app reads; none if no installation grants it. */
async function recordsOf(app_id: string, installations: readonly Installation[], signal: AbortSignal) {
  const readable = installations.find(
    ({ status, target, scopes }) =>
      status === 'active' && target.type === 'company' && scopes.includes('read:investments'),
  )
  if (readable === undefined) return []
  const params = { path: { app_id, id: readable.id } }
  const { data } = await read(client.GET('/portal/api/apps/{app_id}/installations/{id}/sync', { signal, params }))
  return data.page?.data ?? []
}

const idsIn = (value: unknown): readonly string[] => [
  ...new Set([...JSON.stringify(value).matchAll(ID)].map(([id]) => id)),
]
