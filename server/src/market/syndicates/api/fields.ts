import { Type } from 'typebox'
import { idOf, nullable, time } from '#http/schema-fields.ts'
import { SEEN_PARAGRAPHS_PATTERN, UNSEEN } from '#kernel/text.ts'

export const Time = time('UTC, in the time of the world.')
export const NullableText = nullable(Type.String())

export const Email = Type.String({
  maxLength: 254,
  pattern: `^[^@${UNSEEN}]+@[^@${UNSEEN}]+$`,
  examples: ['ada@example.org'],
})

export const Paragraphs = (max: number) =>
  Type.String({ minLength: 1, maxLength: max, pattern: SEEN_PARAGRAPHS_PATTERN })

export const OfSyndicate = Type.Object({ syndicate_id: idOf('syndicate') })
export const OfMember = Type.Object({ syndicate_id: idOf('syndicate'), member_id: idOf('membership') })
