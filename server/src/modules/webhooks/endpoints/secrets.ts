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
  /** What a rotation replaced, while it still signs along; null after that. */
  readonly previous_secret: Buffer | null
}

/** What a delivery is signed with, the newest first. */
export function openSecrets(box: SealedBox, { id, secret, previous_secret }: SealedSecrets): readonly string[] {
  const sealed = previous_secret === null ? [secret] : [secret, previous_secret]
  return sealed.map((each) => {
    const plain = box.open(each, id)
    if (plain === null) throw new Error(`the secret of ${id} cannot be opened: is an earlier sealing secret missing?`)
    return plain.toString()
  })
}
