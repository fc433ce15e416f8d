import { Type } from 'typebox'
import { recordAuditIn } from '#access/audit/index.ts'
import { inSandbox, operator } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { lockClock, moveClock, readClock } from '#system/postgres/world-clock.ts'
import { played, SANDBOX_ACCESS } from './play-route.ts'
import { Time } from './records.ts'

/** The maximum number of days that the clock may be ahead of real time: enough for every expiry, and all times stay valid. */
export const AHEAD_DAYS_MAX = 3_650

/** Moves the test world's clock forward. Concurrent requests run one after the other, and their durations add up. */
export async function advanceClock(tx: Tx, { advance }: { readonly advance: string }): Promise<void> {
  const seconds = parseDuration(advance)
  if (seconds === null) throw refusal('invalid_format', 'must be a duration in weeks, days, hours, minutes or seconds')
  if (seconds === 0) throw refusal('not_forward', 'must be greater than zero: the clock only moves forward')
  const { aheadSeconds } = await lockClock(tx)
  const next = aheadSeconds + seconds
  if (next > AHEAD_DAYS_MAX * SECONDS_PER_DAY) {
    const left = formatDuration(AHEAD_DAYS_MAX * SECONDS_PER_DAY - aheadSeconds)
    throw refusal(
      'too_large',
      `would put the clock more than ${AHEAD_DAYS_MAX} days ahead; it can still move forward by ${left}`,
    )
  }
  await moveClock(tx, next)
}

function refusal(code: string, message: string) {
  const field: FieldError = { field: 'advance', code, message }
  return validationError([field])
}

export const Clock = Type.Object(
  {
    now: Time,
    ahead: Type.String({ description: 'How far the test world is ahead of real time, as an ISO 8601 duration.' }),
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
      description: `How far to move the clock: an ISO 8601 duration in weeks, days, hours, minutes and seconds, in whole numbers. The clock can be at most ${AHEAD_DAYS_MAX} days ahead of real time.`,
    }),
  },
  { title: 'AdvanceClock', additionalProperties: false },
)

/** Moving the clock affects all users of the test world, so only the operator may move it. Every test token may read it. */
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
    operation: 'readSandboxClockByOperator',
    method: 'GET',
    path: '/platform/sandbox_clock',
    alias: false,
    summary: 'Get the sandbox clock',
    description: 'Returns the current time of the test world to operators, and to staff in a browser.',
    tag: 'Platform feed',
    access: inSandbox(operator('viewer', 'platform')),
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
    access: inSandbox(operator('support', 'platform')),
    schema: { body: Advance, response: { 200: played(Clock) } },
    transaction: async ({ tx, body, caller }) => {
      await advanceClock(tx, body)
      const clock = await showClock(tx)
      const details = { mode: 'test', advance: body.advance, ahead: clock.ahead }
      await recordAuditIn(tx, {
        actor: caller.actor,
        action: 'sandbox_clock.advanced',
        subject: 'sandbox clock',
        details,
      })
      return { status: 200, body: { data: clock, meta: { events: [], event_count: 0 } } }
    },
  }),
]

export async function showClock(queries: WorldQueries) {
  const { now, ahead_seconds } = await readClock(queries)
  return { now, ahead: formatDuration(ahead_seconds), ahead_seconds }
}

/**
 * ISO 8601 durations of weeks, days, hours, minutes and seconds, in whole numbers. Months and years have no fixed length, so
 * `P1M` is rejected. A minus is rejected, because the clock only moves forward.
 */
const DURATION =
  /^P(?=[0-9T])(?:([0-9]{1,9})W)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?)?$/
const SECONDS_OF = [604_800, 86_400, 3_600, 60, 1] as const
const SECONDS_PER_DAY = 86_400

/** The duration in seconds; null if the text does not match `DURATION`. */
export function parseDuration(text: string): number | null {
  const found = DURATION.exec(text)
  if (found === null) return null
  return SECONDS_OF.reduce((total, seconds, part) => total + seconds * Number(found[part + 1] ?? 0), 0)
}

/** Formats a duration in days and parts of a day, such as `P3D` or `P1DT30M`. Zero is `PT0S`. */
export function formatDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / SECONDS_PER_DAY), 'D'],
    [Math.floor(seconds / 3_600) % 24, 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  const [days = '', ...ofDay] = parts.map(([amount, unit]) => (amount === 0 ? '' : `${amount}${unit}`))
  const time = ofDay.join('')
  if (days === '' && time === '') return 'PT0S'
  return `P${days}${time === '' ? '' : `T${time}`}`
}
