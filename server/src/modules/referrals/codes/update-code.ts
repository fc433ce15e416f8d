import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { CodeState, ReferralCode } from './code.ts'
import { lockCode, updateRow, writeSpan } from './store.ts'

export type CodeChange = { readonly name?: string | undefined; readonly status?: CodeState | undefined }

type Changing = { readonly app: Id<'app'>; readonly id: string; readonly change: CodeChange }

/**
 * Rename, pause, resume. The code itself never changes: links that are out there would come to mean something else.
 * Asking for what is already so changes nothing, because a client that lost our answer asks again.
 */
export async function updateCode(tx: Tx, { app, id, change }: Changing): Promise<ReferralCode> {
  const before = await lockCode(tx, app, id)
  if (before === null) throw notFound()
  const { name = before.name, status: state = before.state } = change
  if (name === before.name && state === before.state) return before
  const after = await updateRow(tx, before.id, { name, state })
  if (after.state !== before.state) await writeSpan(tx, after)
  return after
}
