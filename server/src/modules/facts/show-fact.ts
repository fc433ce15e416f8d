import { notFound } from '#kernel/errors.ts'
import { findCaused } from '#modules/events/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type EventView, eventView } from './event-view.ts'
import { findFact } from './store.ts'

export type FactView = {
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  readonly applied_at: string
  readonly events: EventView[]
}

/** What came of a fact. A refused one was never taken in, so it is unknown. */
export async function showFact(db: WorldDatabase, id: string): Promise<FactView> {
  const fact = await findFact(db.reads, id)
  if (fact === null) throw notFound(`no fact ${id}`)
  const events = await findCaused(db.reads, fact.id)
  return {
    id: fact.id,
    type: fact.type,
    occurred_at: fact.occurred_at,
    applied_at: fact.applied_at,
    events: events.map((event) => eventView(db.world, event)),
  }
}
