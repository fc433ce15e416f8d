import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { accountExists, findState, insertMember, type Member } from './store.ts'

/** Puts an account on a partner's team. One role each: changing it is another thing than joining. */
export async function addMember(tx: PlatformTx, member: Member): Promise<void> {
  const organization = await findState(tx, member.organization)
  if (organization === null) throw new UnknownReference('organization', member.organization)
  if (!(await accountExists(tx, member.account))) throw new UnknownReference('account', member.account)
  if (organization.state === 'ended') {
    throw validationError([{ field: 'organization', code: 'ended', message: 'was ended by the platform' }])
  }
  await insertMember(tx, member)
}
