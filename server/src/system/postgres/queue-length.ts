/** How much waits in a queue, for metrics. */
export type QueueLength = {
  /** At most `COUNTED_MAX`: counting a long queue would cost more than the work of a batch. */
  readonly waiting: number
  /** How long the oldest entry has waited; 0 if the queue is empty. */
  readonly oldestSeconds: number
}

const COUNTED_MAX = 10_000

/** SQL: the number of rows of a table expression, at most `COUNTED_MAX`. */
export const countedRows = (from: string) =>
  `(select count(*) from (select from ${from} limit ${COUNTED_MAX}) as counted)::int`

/** SQL: the seconds since a time that a scalar subquery finds; 0 if it finds none. */
export const secondsSince = (time: string) =>
  `coalesce(greatest(0, extract(epoch from clock_timestamp() - (${time}))), 0)::float8`
