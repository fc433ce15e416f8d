import { Type } from 'typebox'
import { exactly } from '#http/schema-fields.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { ID_PREFIX, type Id, type IdKind } from '#kernel/ids.ts'
import type { WholeUnits } from '#kernel/money.ts'

/**
 * Event data is made with `exactly`, which allows no additional fields: otherwise a field that needs a scope could be
 * sent unnoticed. Receivers are asked to ignore unknown fields, so a later addition is compatible.
 */

/** The ids of the fake records in test events: `inv_example`, `ofr_example`, `usr_example`, and so on for other kinds. */
type FakeId<K extends IdKind> = `${(typeof ID_PREFIX)[K]}example`

/** A real id, or the fake id of the same kind, because the same schema checks test events. */
export function idOrExample<K extends IdKind>(kind: K) {
  return Type.Unsafe<Id<K> | FakeId<K>>(Type.String({ pattern: `^${ID_PREFIX[kind]}([0-9A-Za-z]{24}|example)$` }))
}

export function fakeId<K extends IdKind>(kind: K): FakeId<K> {
  return `${ID_PREFIX[kind]}example`
}

/** "Timestamps are ISO 8601 strings in UTC." */
export const Timestamp = Type.String({ format: 'date-time', pattern: 'Z$' })

/** "Event occurred_at and observed_at carry microseconds." */
export const Microseconds = Type.Unsafe<WorldTime>(
  Type.String({ format: 'date-time', pattern: '\\.[0-9]{6}Z$', description: 'With microseconds.' }),
)

/** "JSON integers in whole units …, never cents, never strings." At least one: an investment of zero does not exist. */
export const Committed = Type.Unsafe<WholeUnits>(
  Type.Integer({ minimum: 1, description: 'Whole units of the offering’s currency, not cents.' }),
)

/** `2026-W07`: "ISO week, form YYYY-Www". */
export const IsoWeek = Type.String({ pattern: '^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$' })

/** A person as members of a syndicate see each other: an id and a name, no address. */
export const Person = exactly({ id: idOrExample('user'), name: Type.String() })
