import { useQuery } from '@tanstack/react-query'
import { client, read } from '../api/client.ts'
import type { Run } from './play.ts'

const ID = /\b([a-z]+)_[0-9A-Za-z]{24}\b/g
const EVENTS_READ = 100

/** The ids of one kind, those that were seen last first. */
export type KnownIds = (prefix: string) => readonly string[]

/** Ids to suggest: from the moves of this visit, the app's events, and where it is installed. */
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
      return idsIn([payloads, installations.data.map(({ target }) => target.id)])
    },
  })
  const own = idsIn(runs.map(({ recordId }) => recordId))
  return (prefix) => [...new Set([...own, ...seen])].filter((id) => id.startsWith(`${prefix}_`))
}

const idsIn = (value: unknown): readonly string[] => [
  ...new Set([...JSON.stringify(value).matchAll(ID)].map(([id]) => id)),
]
