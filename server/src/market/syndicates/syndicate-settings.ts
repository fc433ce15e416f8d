import { lockActiveUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { requireCompany } from '#market/companies/index.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { removeMember } from './memberships.ts'
import { SETTINGS_AT_FIRST, type SyndicateSettings } from './syndicate.ts'
import {
  deleteDeal,
  emptyDraft,
  insertDeal,
  insertSyndicate,
  lockSettings,
  type MemberCountries,
  membersOfDraft,
  syndicateExists,
  updateSettings,
  writeMemberCountries,
} from './syndicate-store.ts'

export type NewSyndicate = {
  readonly id: Id<'syndicate'>
  readonly createdBy?: Id<'user'> | null
  readonly settings: Pick<SyndicateSettings, 'name' | 'slug'> & Partial<SyndicateSettings>
}

/**
 * Creating a syndicate does not make the creator a manager or a member. The host platform reports both by separate
 * facts.
 */
export async function createSyndicate(tx: Tx, input: NewSyndicate, occasion: Occasion): Promise<void> {
  const createdBy = input.createdBy ?? null
  if (createdBy !== null) await lockActiveUser(tx, 'created_by', createdBy)
  const settings = { ...SETTINGS_AT_FIRST, ...input.settings }
  await requireFund(tx, settings)
  await insertSyndicate(tx, { id: input.id, settings, createdBy, at: occasion.occurredAt })
}

async function requireFund(tx: Tx, { primary_fund_company: fund }: Partial<SyndicateSettings>): Promise<void> {
  if (fund !== null && fund !== undefined) await requireCompany(tx, 'primary_fund_company', fund)
}

/**
 * Omitted fields keep their value. New rules apply to people who join later; existing memberships do not change.
 */
export async function updateSyndicate(
  tx: Tx,
  { id, changes }: { readonly id: Id<'syndicate'>; readonly changes: Partial<SyndicateSettings> },
  occasion: Occasion,
): Promise<void> {
  const before = await lockSettings(tx, id)
  if (before === null) throw new UnknownReference('id', id)
  await requireFund(tx, changes)
  await updateSettings(tx, { id, settings: { ...before, ...changes }, at: occasion.occurredAt })
}

/**
 * Sets the countries where members may live; null allows every country. The setting applies to people who join later,
 * not to existing members.
 */
export async function setMemberCountries(tx: Tx, setting: MemberCountries, occasion: Occasion): Promise<void> {
  const { countries } = setting
  const once = countries === null ? null : [...new Set(countries)].toSorted()
  if (await writeMemberCountries(tx, { ...setting, countries: once }, occasion.occurredAt)) return
  throw new UnknownReference('syndicate', setting.id)
}

export type Deal = { readonly syndicateId: Id<'syndicate'>; readonly offeringId: Id<'offering'> }

export async function addDeal(tx: Tx, deal: Deal, occasion: Occasion): Promise<void> {
  if (!(await syndicateExists(tx, deal.syndicateId))) throw new UnknownReference('syndicate', deal.syndicateId)
  if ((await readOffering(tx, deal.offeringId)) === null) throw new UnknownReference('offering', deal.offeringId)
  if (await insertDeal(tx, { ...deal, at: occasion.occurredAt })) return
  throw validationError([{ field: 'offering', code: 'already_exists', message: 'is already run by the syndicate' }])
}

/** Removes only the deal from the syndicate. The offering and its investments stay. */
export async function removeDeal(tx: Tx, { syndicateId, offeringId }: Deal): Promise<void> {
  if (await deleteDeal(tx, syndicateId, offeringId)) return
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  throw validationError([{ field: 'offering', code: 'not_a_deal', message: 'is not run by the syndicate' }])
}

/**
 * Removes a draft's members, and deletes its managers and invitations. The draft's row stays, because other records
 * refer to it. The caller has locked the draft and checked that it may be deleted.
 */
export async function deleteDraft(tx: Tx, { id }: { readonly id: Id<'syndicate'> }, occasion: Occasion): Promise<void> {
  for (const member of await membersOfDraft(tx, id)) await removeMember(tx, { id: member }, occasion)
  if (!(await emptyDraft(tx, id, occasion.occurredAt))) throw new UnknownReference('id', id)
}
