import { type Audience, EVENT_CATALOGUE } from '#modules/events/index.ts'
import type { TakenEvent } from './deliveries-of.ts'

/** By what the installations are found that events may concern; each named once. */
export type Subjects = {
  readonly companies: readonly string[]
  readonly syndicates: readonly string[]
  readonly users: readonly string[]
  readonly installations: readonly string[]
}

/** Audiences that are found by the installation which the event names. */
const BY_INSTALLATION: ReadonlySet<Audience['through']> = new Set(['itself', 'session_creator', 'proposer'])

/** And those that are found by what the event is about. */
const TARGET: { readonly [T in Audience['through']]?: 'company' | 'syndicate' | 'user' } = {
  ...{ company: 'company', code_owner: 'company', session_company: 'company' },
  ...{ syndicate: 'syndicate', user: 'user', proposer: 'user' },
}

/** Only along the doors of each event: a session's recipient is no reason to lock what the recipient connected. */
export function subjectsOf(events: readonly TakenEvent[]): Subjects {
  const found = { company: new Set<string>(), syndicate: new Set<string>(), user: new Set<string>() }
  const installations = new Set<string>()
  for (const event of events) {
    for (const { through } of EVENT_CATALOGUE[event.name].audience) {
      if (BY_INSTALLATION.has(through)) add(installations, event.installation_id)
      const target = TARGET[through]
      if (target !== undefined) add(found[target], event[`${target}_id`])
    }
  }
  return {
    companies: [...found.company],
    syndicates: [...found.syndicate],
    users: [...found.user],
    installations: [...installations],
  }
}

function add(set: Set<string>, id: string | null): void {
  if (id !== null) set.add(id)
}
