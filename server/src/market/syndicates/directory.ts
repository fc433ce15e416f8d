import type { Occasion } from '#events/index.ts'
import { type FieldError, UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { eraseFromMails } from './invitation-mail.ts'
import { lockPerson, lockStateById, rejectDeactivated } from './membership-moves.ts'
import { lockMembership, readEntry, setHidden, updateEntry } from './membership-store.ts'
import { eraseDirectoryEntries, eraseInvitations, findMailedBy, lockMemberships } from './people-store.ts'
import type { DirectoryChanges, DirectoryEntry, MemberProfile } from './syndicate.ts'

const PRIVATE_TAGS_BYTES_MAX = 5_000

/** Changes only the given fields. No event is sent, because the directory is not part of the membership's state. */
export async function changeProfile(
  tx: Tx,
  { id, changes }: { readonly id: Id<'membership'>; readonly changes: DirectoryChanges },
  occasion: Occasion,
): Promise<void> {
  // An erasure of the person waits for this lock. If the person was erased before, the change is rejected.
  rejectDeactivated('id', (await lockStateById(tx, id)).person)
  const before = await readEntry(tx, id)
  const entry = { ...before, ...changes, profile: merged(before.profile, changes.profile ?? {}) }
  const problems = problemsOf(entry)
  if (problems.length > 0) throw validationError(problems)
  if (await updateEntry(tx, { id, entry, at: occasion.occurredAt })) return
  throw validationError([
    { field: 'profile', code: 'too_long', message: 'must not be longer than 20,000 bytes in all' },
  ])
}

function merged(before: MemberProfile, changes: NonNullable<DirectoryChanges['profile']>): MemberProfile {
  const all = Object.entries({ ...before, ...changes })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

function problemsOf(entry: DirectoryEntry): FieldError[] {
  const problems: FieldError[] = []
  for (const field of ['carry_discount_percentage', 'management_fee_discount_percentage'] as const) {
    // The column would silently round a third decimal.
    if (entry[field] !== null && !hasTwoDecimals(entry[field])) {
      problems.push({ field, code: 'too_precise', message: 'must not have more than two decimals' })
    }
  }
  if (Buffer.byteLength(entry.private_tags.join('')) > PRIVATE_TAGS_BYTES_MAX) {
    const message = `must not be longer than ${PRIVATE_TAGS_BYTES_MAX} bytes in all`
    problems.push({ field: 'private_tags', code: 'too_long', message })
  }
  return problems
}

function hasTwoDecimals(percentage: number): boolean {
  return Number(percentage.toFixed(2)) === percentage
}

type Named = { readonly id: Id<'membership'> }

/** "Hide and restore change only what the directory shows", so no event is sent. Returns false if nothing changed. */
export async function hideMember(tx: Tx, { id }: Named, { occurredAt: at }: Occasion): Promise<boolean> {
  return show(tx, { id, hidden: true, at })
}

export async function restoreMember(tx: Tx, { id }: Named, { occurredAt: at }: Occasion): Promise<boolean> {
  return show(tx, { id, hidden: false, at })
}

async function show(tx: Tx, shown: Parameters<typeof setHidden>[1]): Promise<boolean> {
  if ((await lockMembership(tx, shown.id)) === null) throw new UnknownReference('id', shown.id)
  return setHidden(tx, shown)
}

/**
 * Removes the person's identity from syndicates and from queued mails; the memberships and their states stay. Invitations from
 * before the person had an account are found by the addresses. Call this function before events are erased: it waits for every
 * move in progress, and after that no move writes an event with the name. Returns the addresses under which the person was invited,
 * because events may contain those too.
 */
export async function eraseMember(
  tx: Tx,
  userId: Id<'user'>,
  addresses: readonly string[],
): Promise<{ readonly invitedAs: readonly string[] }> {
  await lockPerson(tx, 'id', userId)
  // Read before the memberships are erased: their addresses are needed to find the invitations.
  const invitedAs = await lockMemberships(tx, userId)
  const erased = await eraseInvitations(tx, userId, [...addresses, ...invitedAs])
  await eraseFromMails(tx, { received: erased, sent: await findMailedBy(tx, userId) })
  await eraseDirectoryEntries(tx, userId)
  return { invitedAs }
}
