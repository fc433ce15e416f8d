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

export const Currency = Type.String({ pattern: '^[a-z]{3}$' })

/** ISO 8601 with a zone and at most microseconds. */
export const Time = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|[+-]\\d{2}:\\d{2})$',
})

export const Email = Type.String({ maxLength: 254, pattern: '^[^@\\s\\u0000-\\u001f]+@[^@\\s\\u0000-\\u001f]+$' })

export const HttpUrl = Type.String({ maxLength: 2000, pattern: '^https?://[^\\s\\u0000-\\u001f]+$' })

export const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])
