import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { checkSignature } from '#test/webhook-signature.ts'
import { type Signing, signDelivery, signingKeys } from './signature.ts'

const signatureHeader = 'Wefunder-Signature'
const FIRST = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const SECOND = 'whsec_//////////////////////////////////////////8='
const BODY = Buffer.from('{"name":"Zoë","note":"日本 😀"}')
const deliveryId = 'dlv_0KZq8xExampleDelivery1'

type Changes = Partial<Omit<Signing, 'keys'>> & { readonly secrets?: readonly string[] }

function sign({ secrets = [FIRST], ...changes }: Changes = {}): Record<string, string> {
  const signing = { signatureHeader, deliveryId, timestampSeconds: 1767225600, body: BODY }
  return signDelivery({ ...signing, keys: secrets.map(signingKeys), ...changes })
}

describe('signature test vectors', () => {
  test('A: the vector that the specification publishes', () => {
    const text =
      '{"id":"evt_0KZq8xExampleOpened01","event":"offering.opened","created_at":"2026-01-15T12:00:00Z","mode":"live","data":{"offering":"ofr_9m2ExampleRound00","status":"open","company":{"name":"Example Company","url":"example-company"}}}'
    const secrets = ['whsec_docvector_2f9c1a4b8e7d6c5a']
    expect(sign({ secrets, timestampSeconds: 1705334400, body: Buffer.from(text) })[signatureHeader]).toBe(
      't=1705334400,v1=0385f3fa13024fc4d851034779083ea49483162d32b668d7646e2b94fccd84db',
    )
  })

  // Our own vectors, computed with Python's hmac module.
  const T = 't=1767225600'
  const OWN = {
    first: 'v1=2dbfcfe24024f00e64eca3802afccc77dbf71aa1ae80b994fb04a0dbde015fcc',
    second: 'v1=09a81cb95e95e86cafca58f68b13a77d5d449fc7662b04a40855719433c329bc',
    empty: 'v1=fb20d84158565e5e2c287de79fb2b30bc90c2472a829707260a2c086b9c3a035',
  }
  const STANDARD = {
    first: 'v1,dqffxEZBR7hxc5WyWLhLsURaTA/f9ofvoCtdqyTClRM=',
    second: 'v1,g7aftjNEnA/QYIKHdXmhXsxIAXKSyw+0jgOtbIqNbW0=',
    empty: 'v1,J9MyOCllFGKRJIrhirL1IPI73XFyJ0S4au3aNHW4aDA=',
  }

  test('B: all headers for one secret and a body with non-ASCII letters', () => {
    expect(sign()).toEqual({
      'Wefunder-Signature': `${T},${OWN.first}`,
      'webhook-id': deliveryId,
      'webhook-timestamp': '1767225600',
      'webhook-signature': STANDARD.first,
    })
  })

  test('C: two secrets give one signature each, in their order', () => {
    const headers = sign({ secrets: [SECOND, FIRST] })
    expect(headers[signatureHeader]).toBe(`${T},${OWN.second},${OWN.first}`)
    expect(headers['webhook-signature']).toBe(`${STANDARD.second} ${STANDARD.first}`)
  })

  test('D: an empty body', () => {
    const headers = sign({ body: Buffer.alloc(0) })
    expect(headers[signatureHeader]).toBe(`${T},${OWN.empty}`)
    expect(headers['webhook-signature']).toBe(STANDARD.empty)
  })
})

describe('independent verifiers', () => {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

  function judge(secret: string, headers: Record<string, string>, body: Buffer) {
    return checkSignature(secret, { header: headers[signatureHeader] ?? '', body, nowSeconds })
  }

  test('accept any body with any secret, and during a rotation with both secrets', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = Buffer.from(JSON.stringify({ value }))
        const secrets = [newSecret(), newSecret()]
        const headers = sign({ secrets, body, timestampSeconds: nowSeconds })
        for (const secret of secrets) {
          expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body.toString()))
          expect(judge(secret, headers, body)).toBe('valid')
        }
      }),
    )
  })

  test('reject another secret, a changed body, and a signature older than five minutes', () => {
    const secret = newSecret()
    const headers = sign({ secrets: [secret], timestampSeconds: nowSeconds })
    const changed = Buffer.from(BODY.toString().replace('Zoë', 'Zoe'))
    const old = sign({ secrets: [secret], timestampSeconds: nowSeconds - 301 })
    expect(judge(newSecret(), headers, BODY)).toBe('signature_mismatch')
    expect(judge(secret, headers, changed)).toBe('signature_mismatch')
    expect(judge(secret, old, BODY)).toBe('timestamp_out_of_tolerance')
    expect(judge(secret, {}, BODY)).toBe('malformed_header')
    expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow()
    expect(() => new Webhook(secret).verify(changed, headers)).toThrow()
    expect(() => new Webhook(secret).verify(BODY, old)).toThrow()
    expect(() => new Webhook(secret).verify(BODY, { ...headers, 'webhook-id': 'dlv_other' })).toThrow()
  })
})

test('signing without a secret is an error', () => {
  expect(() => sign({ secrets: [] })).toThrow('at least one secret')
})
