import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { ReferralCode } from './code.ts'
import { refuseReserved } from './code-form.ts'
import { refuseBeyondQuota } from './code-quota.ts'
import { generatedCode } from './generated-code.ts'
import { holdAndCount, insertCode } from './store.ts'

export type CodeRules = {
  readonly brand: string
  /** How many codes an app can have in each world. */
  readonly quota: number
}

export type WantedCode = { readonly code?: string | undefined; readonly name?: string | undefined }

type Wanting = { readonly app: Id<'app'>; readonly wanted: WantedCode; readonly rules: CodeRules }

/** A code that some app has, in whichever case, is refused by the database: of two at once the second waits for the first. */
export async function createCode(tx: Tx, { app, wanted, rules }: Wanting): Promise<ReferralCode> {
  const code = wanted.code ?? generatedCode()
  refuseReserved(code, rules.brand)
  refuseBeyondQuota(await holdAndCount(tx, app), rules.quota)
  return insertCode(tx, { id: newId('referralCode'), app_id: app, code, name: wanted.name ?? code })
}
