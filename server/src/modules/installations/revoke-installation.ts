import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import { endInstallations } from './end-installations.ts'
import type { Installation } from './installation.ts'
import { inWorld } from './reach.ts'
import { findInstallations, lockInstallation } from './store.ts'

export type Revoking = { readonly id: Id<'installation'>; readonly role: string }

export type Revoked = {
  /** As it is now. */
  readonly installation: Installation
  /** False for one that was revoked before: it stays as it was, with who revoked it, and nobody hears of it again. */
  readonly ended: boolean
}

/** Any installation, by somebody who may; that they may was decided before. */
export async function revokeInstallation(tx: Tx, { id, role }: Revoking, because: Because): Promise<Revoked> {
  const reach = inWorld(tx)
  const [seen] = await findInstallations(tx, [id])
  // A user's row comes before the rows of what is theirs; targets never change.
  if (seen?.target.type === 'user') await lockUser(tx, 'user', seen.target.id)
  const before = await lockInstallation(tx, id)
  if (before === null) throw new UnknownReference('id', id)
  if (before.state === 'revoked') {
    // One that was replaced may still have tokens that are running out.
    await reach.stopTokens([id], 'all')
    return { installation: before, ended: false }
  }
  await endInstallations(reach, { installations: [before], move: 'revoke', role }, because)
  const [installation = before] = await findInstallations(tx, [id])
  return { installation, ended: true }
}
