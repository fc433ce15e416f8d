import type { Schema } from '../in-world-store.ts'

/** The stop of a row of the queue, under the alias s: of what it is for, and made before that. */
const stopOf = (schema: Schema, queue: string) => `
  ${schema}delivery_stops s
   where s.rows_left and s.stopped_id in (${queue}.installation_id, ${queue}.endpoint_id)
     and ${queue}.created_at <= s.stopped_at`

/** Why and when it was, or nulls, as `${as}`. */
export const stopJoin = (schema: Schema, queue: string, as: string) =>
  `left join lateral (select s.reason, s.ended_at from ${stopOf(schema, queue)} limit 1) ${as} on true`

/**
 * Whether a row of the queue is over and only waits to be moved into the history: nobody sends it or speaks of it. Asked
 * of a million rows, so most are told by a look at what was stopped at all: there is hardly ever more than one, and few
 * rows were made since the first of them.
 */
export function isStopped(schema: Schema, queue: string): string {
  const unfinished = (what: string) => `(select ${what} from ${schema}delivery_stops where rows_left)`
  const ids = unfinished('stopped_id')
  return `((coalesce(${queue}.installation_id, '') in ${ids} or ${queue}.endpoint_id in ${ids})
    and (${queue}.created_at <= ${unfinished('min(stopped_at)')} or exists (select from ${stopOf(schema, queue)})))`
}

/** Whether anything of a parcel is: then its members have to be told apart. */
export const isParcelStopped = (schema: Schema, parcel: string) => `exists (
  select from ${schema}delivery_stops s
   where s.rows_left and ${parcel}.created_at <= s.stopped_at
     and (s.stopped_id = ${parcel}.endpoint_id or s.stopped_id = any(${parcel}.installation_ids)))`

/** Whether there is any such row at all: most of the time there is none, and nobody need look for it. */
export const someStopped = (schema: Schema) => `exists (select from ${schema}delivery_stops where rows_left)`
