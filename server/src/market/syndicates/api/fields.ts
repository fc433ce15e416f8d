import { Type } from 'typebox'
import { idOf, nullable, time } from '#http/schema-fields.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'

export const Time = time('UTC, in the time of the world.')
export const NullableText = nullable(Type.String())

/** Spaces, control characters, invisible characters, and characters that change the direction of writing. */
const UNSEEN =
  '\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ud800-\\udfff'

export const Email = Type.String({
  maxLength: 254,
  pattern: `^[^@${UNSEEN}]+@[^@${UNSEEN}]+$`,
  examples: ['ada@example.org'],
})

export const Paragraphs = (max: number) =>
  Type.String({ minLength: 1, maxLength: max, pattern: SEEN_PARAGRAPHS_PATTERN })

export const OfSyndicate = Type.Object({ syndicate_id: idOf('syndicate') })
export const OfMember = Type.Object({ syndicate_id: idOf('syndicate'), member_id: idOf('membership') })
