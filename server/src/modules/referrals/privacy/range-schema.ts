import { Type } from 'typebox'
import { exactly, nullable } from '../fields.ts'

/** A range on the wire. */
export const RangeSchema = exactly(
  {
    min: Type.Integer({ minimum: 0, description: 'At least so many people.' }),
    max: nullable(Type.Integer(), 'At most so many; null: the range is open.'),
  },
  'ReferralRange',
)
