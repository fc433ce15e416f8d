import type { SealedBox } from '#system/crypto/sealed-box.ts'
import { openSecrets, type SealedSecrets } from '../endpoints/secrets.ts'
import { type SigningKeys, signingKeys } from '../signature/signing-keys.ts'

/** A little more than one worker has lanes. */
const KEPT_MAX = 4_000

/** What endpoints sign with. Asked for every delivery and the same until a rotation, so what was opened is kept. */
export function keptKeys(box: SealedBox): (sealed: SealedSecrets) => readonly SigningKeys[] {
  const kept = new Map<string, { readonly sealed: SealedSecrets; readonly keys: readonly SigningKeys[] }>()
  return (sealed) => {
    const before = kept.get(sealed.id)
    if (before !== undefined && isSame(before.sealed, sealed)) return before.keys
    const keys = openSecrets(box, sealed).map(signingKeys)
    if (kept.size >= KEPT_MAX) kept.clear()
    kept.set(sealed.id, { sealed: ownCopy(sealed), keys })
    return keys
  }
}

/** What came out of the database is a view into all that came with it, which must not be kept along. */
function ownCopy({ id, secret, previous_secrets }: SealedSecrets): SealedSecrets {
  const previous = previous_secrets?.map((each) => Buffer.from(each)) ?? null
  return { id, secret: Buffer.from(secret), previous_secrets: previous }
}

function isSame(a: SealedSecrets, b: SealedSecrets): boolean {
  if (!a.secret.equals(b.secret)) return false
  const [before, now] = [a.previous_secrets ?? [], b.previous_secrets ?? []]
  return before.length === now.length && before.every((each, place) => now[place]?.equals(each))
}
