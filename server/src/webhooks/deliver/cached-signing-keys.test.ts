import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { newWebhookSecret, sealSecret, signingKeys } from '../signature.ts'
import { cachedKeys } from './send-delivery.ts'

const box = sealedBox(keyring('a secret that is long enough to be one')('webhook-secrets'))
const id = newId('webhookEndpoint')
const [first, second] = [newWebhookSecret(), newWebhookSecret()]
const [sealedFirst, sealedSecond] = [sealSecret(box, id, first), sealSecret(box, id, second)]

test('unchanged secrets are decrypted only once', () => {
  const keysOf = cachedKeys(box)
  const keys = keysOf({ id, secret: sealedFirst, previous_secrets: null })
  expect(keys).toEqual([signingKeys(first)])
  expect(keysOf({ id, secret: Buffer.from(sealedFirst), previous_secrets: null })).toBe(keys)
})

test('after a rotation both secrets have keys, the newest first; once the old secret ends, only the new one has keys', () => {
  const keysOf = cachedKeys(box)
  keysOf({ id, secret: sealedFirst, previous_secrets: null })
  const rotated = { id, secret: sealedSecond, previous_secrets: [sealedFirst] }
  expect(keysOf(rotated)).toEqual([signingKeys(second), signingKeys(first)])
  expect(keysOf({ ...rotated, previous_secrets: null })).toEqual([signingKeys(second)])
})
