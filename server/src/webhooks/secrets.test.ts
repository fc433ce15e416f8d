import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { newWebhookSecret, openSecrets, sealSecret } from './signature.ts'

const box = sealedBox(keyring('the sealing secret of these tests, which is long')('webhook-secrets'))
const other = sealedBox(keyring('another sealing secret, which is lost')('webhook-secrets'))
const id = newId('webhookEndpoint')

test('a new secret is whsec_ and base64 of 32 random bytes, different each time', () => {
  const [first, second] = [newWebhookSecret(), newWebhookSecret()]
  expect(first).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
  expect(Buffer.from(first.slice(6), 'base64')).toHaveLength(32)
  expect(second).not.toBe(first)
})

describe('the secrets that sign a delivery', () => {
  const [now, before] = [newWebhookSecret(), newWebhookSecret()]
  const secret = sealSecret(box, id, now)

  test('are the newest secret, then the replaced secret if there is one', () => {
    expect(openSecrets(box, { id, secret, previous_secrets: null })).toEqual([now])
    expect(openSecrets(box, { id, secret, previous_secrets: [sealSecret(box, id, before)] })).toEqual([now, before])
  })

  test('are sealed: the bytes do not contain the secret, and another endpoint cannot open them', () => {
    expect(secret.toString('latin1')).not.toContain(now.slice(6))
    expect(() => openSecrets(box, { id: newId('webhookEndpoint'), secret, previous_secrets: null })).toThrow(
      'cannot be opened',
    )
  })

  test('leave out a replaced secret whose sealing secret was lost, so that the endpoint works again after a rotation', () => {
    const lost = sealSecret(other, id, before)
    expect(() => openSecrets(box, { id, secret: lost, previous_secrets: null })).toThrow('cannot be opened')
    expect(openSecrets(box, { id, secret, previous_secrets: [lost] })).toEqual([now])
  })
})
