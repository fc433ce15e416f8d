import { UnknownReference } from '#kernel/errors.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type MemberCountries, writeMemberCountries } from './store.ts'

/** Where members may live; null: anywhere. Applies to whoever joins from now on; nobody's membership changes by it. */
export async function setMemberCountries(tx: Tx, setting: MemberCountries, occasion: Occasion): Promise<void> {
  const { countries } = setting
  const once = countries === null ? null : [...new Set(countries)].toSorted()
  if (await writeMemberCountries(tx, { ...setting, countries: once }, occasion.occurredAt)) return
  throw new UnknownReference('syndicate', setting.id)
}
