import { EVENT_CATALOGUE } from '#modules/events/index.ts'
import type { TakenEvent } from './deliveries-of.ts'

/** By what the installations are found that events may concern; each named once. */
export type Subjects = {
  readonly companies: readonly string[]
  readonly syndicates: readonly string[]
  readonly users: readonly string[]
  readonly installations: readonly string[]
}

/** Only along the doors of each event: a session's recipient is no reason to lock what the recipient connected. */
export function subjectsOf(events: readonly TakenEvent[]): Subjects {
  const found = { company: new Set<string>(), syndicate: new Set<string>(), user: new Set<string>() }
  const installations = new Set<string>()
  for (const event of events) {
    for (const { through } of EVENT_CATALOGUE[event.name].audience) {
      if (through === 'app') continue
      if (through === 'itself' || through === 'session_creator') add(installations, event.installation_id)
      else if (through === 'code_owner') add(found.company, event.company_id)
      else add(found[through], event[`${through}_id`])
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
