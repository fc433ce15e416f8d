import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { useTail } from '../api/use-tail.ts'

export type Step = Schemas['AppOverview']['attributes']['first_steps'][number]

const READ_EVERY_MS = 15_000

export const overviewQuery = (app_id: string, mode: Mode) =>
  queryOptions({
    queryKey: ['apps', app_id, 'overview', mode],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id }, query: { mode } }
      return (await read(client.GET('/portal/api/apps/{app_id}/overview', { signal, params }))).data
    },
    // The person completes a first step on another page, or outside of the portal.
    staleTime: 0,
    refetchInterval: READ_EVERY_MS,
  })

/** Reads the overview again when a request or a delivery completes a first step. Both happen outside of the portal. */
export function useOverviewUpdates(appId: string, mode: Mode, steps: readonly Step[]): void {
  const queries = useQueryClient()
  const isOpen = (name: Step['step']) => steps.some(({ step, done }) => step === name && !done)
  const requests = `/portal/api/apps/${appId}/requests/stream?mode=${mode}`
  const deliveries = `/portal/api/apps/${appId}/webhook_deliveries/stream?mode=${mode}&status=delivered`
  const awaitsRequest = isOpen('call_api') && !isOpen('create_key')
  const awaitsDelivery = isOpen('receive_event') && !isOpen('add_endpoint')
  const { rows: newRequests } = useTail(awaitsRequest ? requests : null, doNothing)
  const { rows: newDeliveries } = useTail(awaitsDelivery ? deliveries : null, doNothing)
  const newestIds = `${newRequests[0]?.id} ${newDeliveries[0]?.id}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect also runs for each new row
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['apps', appId, 'overview', mode] })
  }, [newestIds, queries, appId, mode])
}

/** Does nothing when the stream missed rows: the next read of the overview contains their effect. */
const doNothing = () => undefined
