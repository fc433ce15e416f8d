import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { Resource } from './fields.ts'

export const User = Resource({ kind: 'user', type: 'user', title: 'SandboxUser' }, { deactivated: Type.Boolean() })

export async function showUser(tx: Tx, id: Id<'user'>) {
  const { deactivated } = await lockUser(tx, 'id', id)
  return { id, type: 'user' as const, attributes: { deactivated } }
}
