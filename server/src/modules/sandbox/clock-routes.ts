import { Type } from 'typebox'
import { inSandbox, operator } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { AHEAD_DAYS_MAX, advanceClock } from './advance-clock.ts'
import { played } from './answer.ts'
import { formatDuration } from './duration.ts'
import { Time } from './fields.ts'
import { SANDBOX_ACCESS } from './sandbox-access.ts'
import { readClock } from './store.ts'

const Clock = Type.Object(
  {
    now: Time,
    ahead: Type.String({ description: 'How far the test world is ahead of real time, an ISO 8601 duration.' }),
    ahead_seconds: Type.Integer({ minimum: 0 }),
  },
  { title: 'SandboxClock', additionalProperties: false },
)

const Advance = Type.Object(
  {
    advance: Type.String({
      minLength: 1,
      maxLength: 60,
      examples: ['P3D'],
      description: `How far to go: an ISO 8601 duration in weeks, days, hours, minutes and seconds, in whole numbers. At most ${AHEAD_DAYS_MAX} days in all.`,
    }),
  },
  { title: 'AdvanceClock', additionalProperties: false },
)

/** Moving time concerns everybody who plays in the test world, so only the operator does it; anybody there may look. */
export const clockRoutes: readonly Route[] = [
  route({
    operation: 'readSandboxClock',
    method: 'GET',
    path: '/sandbox/clock',
    summary: 'Get the sandbox clock',
    description: 'Returns the current time of the test world and how far it is ahead of real time.',
    tag: 'Sandbox',
    access: SANDBOX_ACCESS,
    schema: { response: { 200: Type.Object({ data: Clock }, { additionalProperties: false }) } },
    handler: async ({ db }) => ({ status: 200, body: { data: await showClock(db.reads) } }),
  }),
  route({
    operation: 'advanceSandboxClock',
    method: 'POST',
    path: '/sandbox/clock',
    summary: 'Advance the sandbox clock',
    description: 'Moves the clock of the test world forward. It never moves back.',
    tag: 'Sandbox',
    access: inSandbox(operator()),
    schema: { body: Advance, response: { 200: played(Clock) } },
    transaction: async ({ tx, body }) => {
      await advanceClock(tx, body)
      return { status: 200, body: { data: await showClock(tx), meta: { events: [], event_count: 0 } } }
    },
  }),
]

async function showClock(queries: WorldQueries) {
  const { now, ahead_seconds } = await readClock(queries)
  return { now, ahead: formatDuration(ahead_seconds), ahead_seconds }
}
