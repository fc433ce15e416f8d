import { type Id, newId } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { insertOrganization } from './store.ts'

export type NewOrganization = { readonly id?: Id<'organization'>; readonly name: string }

export async function createOrganization(tx: PlatformTx, organization: NewOrganization): Promise<Id<'organization'>> {
  const { id = newId('organization'), name } = organization
  await insertOrganization(tx, { id, name })
  return id
}
