import { queryOptions } from '@tanstack/react-query'
import { client, read } from '../api/client.ts'

/** Everything that an action on an app or an organization changes. */
export const PARTNER_CHANGES = [
  ['partner'],
  ['requests'],
  ['partners'],
  ['organizations'],
  ['app history'],
  ['organization history'],
]

export const consoleAppQuery = (app_id: string) =>
  queryOptions({
    queryKey: ['partner', 'app', app_id],
    queryFn: async ({ signal }) =>
      (await read(client.GET('/platform/apps/{app_id}', { signal, params: { path: { app_id } } }))).data,
  })

export const organizationQuery = (organization_id: string) =>
  queryOptions({
    queryKey: ['partner', 'organization', organization_id],
    queryFn: async ({ signal }) =>
      (
        await read(
          client.GET('/platform/organizations/{organization_id}', { signal, params: { path: { organization_id } } }),
        )
      ).data,
  })
