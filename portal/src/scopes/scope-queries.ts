import { queryOptions } from '@tanstack/react-query'
import { client, read, readAll, type Schemas } from '../api/client.ts'

export type PickerScope = Schemas['PickerScope']

export const catalogueQuery = queryOptions({
  queryKey: ['scopes'],
  queryFn: ({ signal }) =>
    readAll((cursor) =>
      read(
        client.GET('/portal/api/scopes', { signal, params: { query: { per_page: 100, ...(cursor && { cursor }) } } }),
      ),
    ),
  staleTime: Number.POSITIVE_INFINITY,
})

type Place = PickerScope['attributes']['takes_effect_on'][number]

/**
 * Groups scopes by who grants them: people who connect the app (`ofPeople`), or people who install it on a company or a syndicate
 * (`ofTargets`). `own` are the scopes that only the app itself uses; no person grants them.
 */
export function grantedBy(scopes: readonly PickerScope[]) {
  const on = (...places: readonly Place[]) =>
    scopes.filter(({ attributes }) => attributes.takes_effect_on.some((place) => places.includes(place)))
  const [ofPeople, ofTargets] = [on('user'), on('company', 'syndicate')]
  return {
    ...{ ofPeople, ofTargets, onlyOfPeople: ofPeople.filter((scope) => !ofTargets.includes(scope)) },
    own: scopes.filter((scope) => !ofPeople.includes(scope) && !ofTargets.includes(scope)),
  }
}
