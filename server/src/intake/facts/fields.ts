import { type Static, Type } from 'typebox'
import { line, nullable } from '#http/schema-fields.ts'
import { type WorldTime, worldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import { ID_PREFIX, type IdKind, idPattern } from '#kernel/ids.ts'
import { LINE_PATTERN, PARAGRAPHS_PATTERN, UNSEEN } from '#kernel/text.ts'

/** Schemas of the values in facts. Maximum lengths are those of the columns. */

/** Text with line breaks. */
export const Paragraphs = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: PARAGRAPHS_PATTERN })

/** An amount in whole units: cents that are not a multiple of 100 are rejected, never rounded. */
export const AmountCents = Type.Integer({ minimum: 100, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 })
export const AmountCentsOrZero = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 })

const CURRENCY_PATTERN = '^[a-z]{3}$'
export const Currency = Type.String({ pattern: CURRENCY_PATTERN })

/**
 * ISO 8601 with a zone and at most microseconds. The pattern allows only years and zones that PostgreSQL reads and prints the
 * same way. The pattern has no leap second, which JavaScript cannot parse. The format checks the number of days in the month.
 */
export const TIME_PATTERN =
  '^(19|2\\d)\\d{2}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d{1,6})?(Z|[+-](0\\d|1[0-4]):\\d{2})$'
export const Time = Type.String({ format: 'date-time', pattern: TIME_PATTERN })

const EMAIL_PATTERN = `^[^@${UNSEEN}]+@[^@${UNSEEN}]+$`
export const Email = Type.String({ maxLength: 254, pattern: EMAIL_PATTERN })

const URL_PATTERN = `^https?://[^${UNSEEN}]+$`
export const HttpUrl = Type.String({ maxLength: 2000, pattern: URL_PATTERN })

/** The URL of a page or picture, or a path on our own host, without invisible characters (`\p{C}`). */
export const Link = Type.String({ maxLength: 2000, pattern: '^(https?://|/(?!/))[^\\s\\p{C}]+$' })

const PLACE_CHARS_MAX = 100
const Place = Type.Optional(nullable(line(PLACE_CHARS_MAX)))

/** A location is replaced as a whole. An omitted part becomes null, so that a new city never keeps the old city's `state`. */
export const Location = nullable(
  Type.Object({ city: Place, state: Place, country: Place }, { additionalProperties: false }),
)

type Places = { readonly city: string | null; readonly state: string | null; readonly country: string | null }

/** A location as three columns; no columns if the fact has no location. */
export function placesOf(location: Static<typeof Location> | undefined): Partial<Places> {
  if (location === undefined) return {}
  return { city: location?.city ?? null, state: location?.state ?? null, country: location?.country ?? null }
}

/** A text format: its name in the documentation, and the words after "must be" in an error message. */
type TextForm = { readonly name: string; readonly words: string }

/** Error messages describe a format in words, because a regular expression does not help the sender. */
const FORMS: ReadonlyMap<string, TextForm> = new Map([
  [
    LINE_PATTERN,
    {
      name: 'line',
      words: 'one line of text, without control or direction characters and without blanks at its ends',
    },
  ],
  [PARAGRAPHS_PATTERN, { name: 'text', words: 'text without control or direction characters' }],
  [CURRENCY_PATTERN, { name: 'currency', words: 'a currency code of three lower-case letters' }],
  [TIME_PATTERN, { name: 'time', words: 'an ISO 8601 time with its zone, such as 2026-01-15T12:00:00.123456Z' }],
  [EMAIL_PATTERN, { name: 'email', words: 'an email address' }],
  [URL_PATTERN, { name: 'link', words: 'an address that begins with http:// or https://' }],
  [patternOf(Link), { name: 'link', words: 'an address that begins with http://, https:// or a single /' }],
  ...Object.keys(ID_PREFIX).map((kind): [string, TextForm] => {
    const prefix = ID_PREFIX[kind as IdKind]
    return [idPattern(kind as IdKind), { name: `\`${prefix}\` id`, words: `${prefix} and 24 letters or digits` }]
  }),
])

/** Returns undefined for a pattern without an entry in `FORMS`, such as that of a share price. */
export function textForm(pattern: unknown): TextForm | undefined {
  return FORMS.get(String(pattern))
}

function patternOf(schema: object): string {
  return String(Reflect.get(schema, 'pattern'))
}

const PARTS = /^(.{19})(?:\.(\d+))?(Z|[+-].{5})$/

/**
 * Converts a time of a fact (already checked by the schema `Time`) to the stored form: UTC with six digits. Only whole
 * seconds go through a JavaScript Date, which has no microseconds.
 */
function storedTime(text: string): WorldTime {
  const [, seconds = '', fraction = '', zone = ''] = PARTS.exec(text) ?? []
  const ms = Date.parse(`${seconds}${zone}`)
  if (Number.isNaN(ms)) throw validationError([{ field: '', code: 'invalid_format', message: `${text} is not a time` }])
  return worldTime(`${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`)
}

/** The same type with WorldTime instead of string. */
type Stored<T> = T extends string ? WorldTime : T

/** The same data, with the times of the named fields in the stored form. Missing times stay missing. */
export function withTimes<D extends object, N extends keyof D>(
  data: D,
  ...names: readonly N[]
): { [K in keyof D]: K extends N ? Stored<D[K]> : D[K] } {
  const times = names.flatMap((name) => (typeof data[name] === 'string' ? [[name, storedTime(data[name])]] : []))
  return { ...data, ...Object.fromEntries(times) }
}
