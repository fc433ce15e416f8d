import { type WorldTime, worldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'

const PARTS = /^(.{17})(\d\d)(?:\.(\d+))?(Z|[+-].{5})$/

/**
 * A time as a fact may write it (the schema `Time` has let it pass), as we keep it: in UTC, with six digits. Only
 * whole seconds go through a JavaScript Date, which would cut the fraction; a leap second is the next minute's first,
 * as PostgreSQL reads it.
 */
function toldTime(text: string): WorldTime {
  const [, minute = '', second = '', fraction = '', zone = ''] = PARTS.exec(text) ?? []
  const leap = second === '60'
  const ms = Date.parse(`${minute}${leap ? '59' : second}${zone}`) + (leap ? 1000 : 0)
  if (Number.isNaN(ms)) throw validationError([{ field: '', code: 'invalid_format', message: `${text} is no time` }])
  return worldTime(`${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`)
}

/** `string`, `string | null` or an optional one of them: the same with a time of ours in its place. */
type Told<T> = T extends string ? WorldTime : T

/** The same data with the named times, where they were told, as we keep them. */
export function withTimes<D extends object, N extends keyof D>(
  data: D,
  ...names: readonly N[]
): { [K in keyof D]: K extends N ? Told<D[K]> : D[K] } {
  const told = names.flatMap((name) => (typeof data[name] === 'string' ? [[name, toldTime(data[name])]] : []))
  return { ...data, ...Object.fromEntries(told) }
}
