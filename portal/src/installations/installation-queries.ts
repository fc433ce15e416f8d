import { queryOptions } from '@tanstack/react-query'
import { client, type Mode, read, readAll, type Schemas } from '../api/client.ts'

export const installationsQuery = (app_id: string, mode: Mode) =>
  queryOptions({
    queryKey: ['apps', app_id, 'installations', mode],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/apps/{app_id}/installations', {
            signal,
            params: { path: { app_id }, query: { mode, per_page: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

export const installationQuery = (app_id: string, id: string) =>
  queryOptions({
    queryKey: ['apps', app_id, 'installations', id],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, id } }
      return (await read(client.GET('/portal/api/apps/{app_id}/installations/{id}', { signal, params }))).data
    },
  })

/** A user is shown by their id, because the app does not get the user's name. */
export const targetName = ({ name, id }: Schemas['Installation']['target']) => name ?? id
