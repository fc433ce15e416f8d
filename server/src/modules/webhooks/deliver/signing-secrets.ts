import type { SealedBox } from '#system/crypto/sealed-box.ts'
import { openSecrets, type SealedSecrets } from '../endpoints/secrets.ts'

/** A little more than one worker has lanes. */
const KEPT_MAX = 4_000

/** Opens what endpoints sign with. Asked for every delivery and the same until a rotation, so what was opened is kept. */
export function signingSecrets(box: SealedBox): (sealed: SealedSecrets) => readonly string[] {
  const kept = new Map<string, { readonly sealed: SealedSecrets; readonly opened: readonly string[] }>()
  return (sealed) => {
    const before = kept.get(sealed.id)
    if (before !== undefined && isSame(before.sealed, sealed)) return before.opened
    const opened = openSecrets(box, sealed)
    if (kept.size >= KEPT_MAX) kept.clear()
    kept.set(sealed.id, { sealed: ownCopy(sealed), opened })
    return opened
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
