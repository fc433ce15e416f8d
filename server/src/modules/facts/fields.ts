import { Type } from 'typebox'
import { type IdKind, idPattern } from '#kernel/ids.ts'
import { LINE_PATTERN, PARAGRAPHS_PATTERN } from '#kernel/text.ts'

/** The kinds of value that facts are made of. Lengths are those of the columns they end up in. */

export const IdOf = <K extends IdKind>(kind: K) => Type.String({ pattern: idPattern(kind) })

/** One visible line: names, taglines, titles. */
export const Line = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: LINE_PATTERN })

/** Text with line breaks. */
export const Paragraphs = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: PARAGRAPHS_PATTERN })

/** Whole units only: cents that are no multiple of 100 are refused, never rounded. */
export const AmountCents = Type.Integer({ minimum: 100, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 })
export const AmountCentsOrZero = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 })

export const CURRENCY_PATTERN = '^[a-z]{3}$'
export const Currency = Type.String({ pattern: CURRENCY_PATTERN })

/**
 * ISO 8601 with a zone and at most microseconds. The pattern keeps to years and zones that PostgreSQL reads and prints
 * alike; the format knows how many days a month has.
 */
export const TIME_PATTERN =
  '^(19|2\\d)\\d{2}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d{1,6})?(Z|[+-](0\\d|1[0-4]):\\d{2})$'
export const Time = Type.String({ format: 'date-time', pattern: TIME_PATTERN })

/** Spaces, control characters and whatever is invisible or turns the direction of writing. */
const UNSEEN =
  '\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ud800-\\udfff'

export const EMAIL_PATTERN = `^[^@${UNSEEN}]+@[^@${UNSEEN}]+$`
export const Email = Type.String({ maxLength: 254, pattern: EMAIL_PATTERN })

export const URL_PATTERN = `^https?://[^${UNSEEN}]+$`
export const HttpUrl = Type.String({ maxLength: 2000, pattern: URL_PATTERN })

export const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])
