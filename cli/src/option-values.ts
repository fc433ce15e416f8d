import type { Api } from '@portico/sdk'
import type { Connection } from './connection/connection.ts'
import { usageFailure } from './failure.ts'

export type EventTypes = NonNullable<NonNullable<Api.Operations['GET /events']['query']>['types']>

/** Reads names and wildcards, from one option with commas or from several options. The service checks that they exist. */
export function readEventTypes(lists: readonly string[]): EventTypes {
  return lists.flatMap((list) => list.split(',')).filter((name) => name !== '') as EventTypes
}

type Range = { readonly min?: number; readonly max: number }

export function readWholeNumber(option: string, text: string, { min = 1, max }: Range): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw usageFailure(`--${option} is a whole number from ${min} to ${max.toLocaleString('en')}, not "${text}".`)
}

const LIMIT_MAX = 100_000

export function readLimit(text = '25'): number {
  return readWholeNumber('limit', text, { max: LIMIT_MAX })
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Reads a time, or a duration such as `2h` or `3d` before the current time of the world. */
export async function readTime(connection: Connection, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined
  const [, amount, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (amount !== undefined) {
    return new Date((await worldNow(connection)) - Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString()
  }
  const parsed = Date.parse(text)
  if (!Number.isNaN(parsed)) return new Date(parsed).toISOString()
  throw usageFailure(`"${text}" is not a time.`, 'Write 2026-11-18T05:00:00Z, or 2h for two hours ago.')
}

/** The current time of the world: the sandbox has its own clock. */
async function worldNow(connection: Connection): Promise<number> {
  if (connection.mode === 'live') return Date.now()
  return Date.parse((await connection.client('sandbox').get('/sandbox/clock')).data.now)
}
