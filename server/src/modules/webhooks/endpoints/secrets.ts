import type { Id } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'

const SECRET_BYTES = 32

/** "`whsec_` + base64 of 32 random bytes", which is also the form Standard Webhooks libraries read. */
export function newWebhookSecret(): string {
  const bytes = Buffer.alloc(SECRET_BYTES)
  fillRandom(bytes)
  return `whsec_${bytes.toString('base64')}`
}

/** The one kind of secret that is not kept as a digest, "since we sign with them": sealed for its endpoint alone. */
export function sealSecret(box: SealedBox, endpoint: Id<'webhookEndpoint'>, secret: string): Buffer {
  return box.seal(Buffer.from(secret), endpoint)
}

export type SealedSecrets = {
  readonly id: Id<'webhookEndpoint'>
  readonly secret: Buffer
  /** What rotations replaced and still signs along, the newest first; null for nothing. */
  readonly previous_secrets: readonly Buffer[] | null
}

/**
 * What a delivery is signed with, the newest first. One that was replaced and cannot be opened any more does not stop the
 * signing: an endpoint whose secret was lost with a sealing secret is mended by rotating it.
 */
export function openSecrets(box: SealedBox, { id, secret, previous_secrets }: SealedSecrets): readonly string[] {
  const newest = box.open(secret, id)
  if (newest === null) throw new Error(`the secret of ${id} cannot be opened: is an earlier sealing secret missing?`)
  const previous = (previous_secrets ?? []).map((each) => box.open(each, id)).filter((plain) => plain !== null)
  return [newest, ...previous].map(String)
}
