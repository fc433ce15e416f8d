import { inspect } from '#http/input/plain-text.ts'
import { validationError } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import { measureMetadata } from './store.ts'

const METADATA_BYTES_MAX = 20_000

/** A partner's own words about a session, echoed as they came: anything JSON can hold and the database can keep. */
export async function refuseUnkeepable(tx: Tx, metadata: { readonly [key: string]: unknown }): Promise<void> {
  if (inspect(metadata).problem !== null) throw refusal('unstorable', 'holds text that cannot be kept')
  if ((await measureMetadata(tx, JSON.stringify(metadata))) > METADATA_BYTES_MAX) {
    throw refusal('too_long', `must not be longer than ${METADATA_BYTES_MAX} bytes as JSON`)
  }
}

function refusal(code: string, message: string) {
  return validationError([{ field: 'metadata', code, message }])
}
