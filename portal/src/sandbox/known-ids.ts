import { useQuery } from '@tanstack/react-query'
import { client, read, type Schemas } from '../api/client.ts'
import type { Suggestion } from '../ui/field.tsx'
import type { Accepts, Run } from './play.ts'

const ID = /\b([a-z]+)_[0-9A-Za-z]{24}\b/g
const EVENTS_READ = 100

/** Returns ids with a prefix as suggestions, the most useful first. With `accepts`, it returns only offerings that are open now. */
export type KnownIds = (prefix: string, accepts?: Accepts) => readonly Suggestion[]

/**
 * Suggests ids of records from the moves of this visit, from the app's events, and from its installations: their targets, and some
 * investments that the app can read. It also suggests the records that the API lists for the sandbox: open offerings, people, and ids
 * of syndicates and of records of the demo.
 */
export function useKnownIds(appId: string, runs: readonly Run[]): { known: KnownIds; isLoading: boolean } {
  const { data = NOTHING, isLoading } = useQuery({
    queryKey: ['apps', appId, 'sandbox ids'],
    queryFn: ({ signal }) => readRecords(appId, signal),
    staleTime: 0,
  })
  const own = idsIn(runs.map(({ recordId }) => recordId)).map((value) => ({ value }))
  const known: KnownIds = (prefix, accepts) => {
    const named = namedRecords(data, prefix, accepts)
    const all = accepts !== undefined ? named : [...named, ...own, ...data.otherIds.map((value) => ({ value }))]
    const byId = new Map<string, Suggestion>()
    for (const suggestion of all) {
      if (suggestion.value.startsWith(`${prefix}_`) && !byId.has(suggestion.value))
        byId.set(suggestion.value, suggestion)
    }
    return [...byId.values()]
  }
  return { known, isLoading }
}

type Records = Schemas['SandboxRecords']['attributes'] & {
  /** Companies, syndicates and users on which the app is installed. The app receives their events. */
  readonly targets: readonly string[]
  /** Ids without a name. */
  readonly otherIds: readonly string[]
}

const NOTHING: Records = { offerings: [], people: [], examples: [], targets: [], otherIds: [] }

async function readRecords(app_id: string, signal: AbortSignal): Promise<Records> {
  const path = { app_id }
  const query = { mode: 'test', per_page: EVENTS_READ } as const
  const [events, installations, records] = await Promise.all([
    read(client.GET('/portal/api/apps/{app_id}/events', { signal, params: { path, query } })),
    read(client.GET('/portal/api/apps/{app_id}/installations', { signal, params: { path, query } })),
    read(client.GET('/portal/api/apps/{app_id}/sandbox/records', { signal, params: { path } })),
  ])
  const active = installations.data.filter(({ status }) => status === 'active')
  const targets = active.map(({ target }) => target.id)
  const payloads = events.data.map(({ attributes }) => attributes.payload['data'])
  const { attributes } = records.data
  const otherIds = idsIn([targets, payloads, await readableRecords(app_id, active, signal), attributes.examples])
  return { ...attributes, targets, otherIds }
}

/**
 * Suggestions for people and offerings, which have a name. Offerings that accept what `accepts` names come first, and among them
 * the offerings of companies on which the app is installed. For reservations, only offerings that accept reservations are suggested.
 */
function namedRecords(
  { offerings, people, targets }: Records,
  prefix: string,
  accepts?: Accepts,
): readonly Suggestion[] {
  if (prefix === 'usr') return people.map(({ id, name }) => ({ value: id, label: name }))
  if (prefix !== 'ofr') return []
  const rank = ({ company_id, testing_the_waters }: Records['offerings'][number]) =>
    Number(testing_the_waters !== (accepts === 'reservations')) * 2 + Number(!targets.includes(company_id))
  return offerings
    .filter(({ testing_the_waters }) => accepts !== 'reservations' || testing_the_waters)
    .toSorted((one, other) => rank(one) - rank(other))
    .map((offering) => ({ value: offering.id, label: offeringWords(offering) }))
}

const offeringWords = ({ company_name, testing_the_waters }: Records['offerings'][number]) =>
  `${company_name}, open for ${testing_the_waters ? 'reservations' : 'investments'}`

type Installation = Schemas['Installation']

/** Some investments of one company, if an installation lets the app read them. */
async function readableRecords(app_id: string, active: readonly Installation[], signal: AbortSignal) {
  const readable = active.find(({ target, scopes }) => target.type === 'company' && scopes.includes('read:investments'))
  if (readable === undefined) return []
  const params = { path: { app_id, id: readable.id } }
  const { data } = await read(client.GET('/portal/api/apps/{app_id}/installations/{id}/sync', { signal, params }))
  return data.page?.data ?? []
}

const idsIn = (value: unknown): readonly string[] => [
  ...new Set([...JSON.stringify(value).matchAll(ID)].map(([id]) => id)),
]
