import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { createAccount } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import { hiddenFields } from '../testing/browser.ts'
import { insertPasskey } from './store.ts'

let db: TestDatabase
let service: AccountService
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db, { host: 'localhost' })
})
afterAll(async () => {
  await service.close()
  await db.close()
})

const COUNTER = 7

/** COSE_Key (RFC 9053): EC2, ES256, P-256, x and y. */
function coseKeyOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [head, middle] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')]
  return Buffer.concat([head, Buffer.from(x, 'base64url'), middle, Buffer.from(y, 'base64url')])
}

async function aPasskey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const email = `${newId('account')}@example.org`
  const credentialId = createHash('sha256').update(email).digest()
  const account = await db.databases.platform.transaction(async (tx) => {
    const account_id = await createAccount(tx, { email, name: 'Ada', passwordHash: null })
    const key = { credential_id: credentialId, public_key: coseKeyOf(publicKey), counter: COUNTER, name: 'Phone' }
    await insertPasskey(tx, { account_id, ...key, synced: false, backed_up: false, transports: [] })
    return account_id
  })
  return { account, credentialId, privateKey }
}

type Forgery = {
  readonly origin?: string
  readonly relyingParty?: string
  readonly counter?: number
  /** Default: user present and user verified. */
  readonly flags?: number
  readonly type?: string
  readonly signedBy?: KeyObject
  readonly handle?: Id<'account'>
}

/** Signs in with a software authenticator, whose responses may contain values that no browser would send. */
async function signIn(
  { account, credentialId, privateKey }: Awaited<ReturnType<typeof aPasskey>>,
  forged: Forgery = {},
) {
  const { origin = service.url, relyingParty = 'localhost', counter = COUNTER + 1, flags = 0x05 } = forged
  const browser = service.browser()
  const { text } = await browser.open('/sign-in')
  const challenge = /&quot;challenge&quot;:&quot;([\w-]+)&quot;/.exec(text)?.[1] ?? ''
  const { csrf = '', ticket = '' } = hiddenFields(text)
  const client = Buffer.from(JSON.stringify({ type: forged.type ?? 'webauthn.get', challenge, origin }))
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const data = Buffer.concat([createHash('sha256').update(relyingParty).digest(), Buffer.from([flags]), count])
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
  const id = credentialId.toString('base64url')
  const response = {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: sign('sha256', signed, forged.signedBy ?? privateKey).toString('base64url'),
    userHandle: Buffer.from(forged.handle ?? account).toString('base64url'),
  }
  const credential = JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  const body = new URLSearchParams({ csrf, ticket, credential })
  return browser.send('/sign-in/passkey', { method: 'POST', body, headers: { origin: service.url } })
}

const counterOf = async (account: Id<'account'>) => {
  const rows = await db.sql<{ counter: string }>(
    'select counter::text from platform.account_passkeys where account_id = $1',
    [account],
  )
  return Number(rows[0]?.counter)
}

describe('the response of a passkey', () => {
  test('signs in if every part of it is valid; its counter is stored', async () => {
    const passkey = await aPasskey()
    expect((await signIn(passkey)).status).toBe(303)
    expect(await counterOf(passkey.account)).toBe(COUNTER + 1)
  })

  test('gives back only its own attempt if it signs in; the other attempts of the network address stay counted', async () => {
    await db.sql('delete from platform.sign_in_attempts')
    const passkey = await aPasskey()
    for (let i = 0; i < 2; i++) expect((await signIn(passkey, { counter: COUNTER })).status).not.toBe(303)
    expect((await signIn(passkey)).status).toBe(303)
    expect(await db.sql('select attempts from platform.sign_in_attempts')).toEqual([{ attempts: 2 }])
  })

  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const FORGERIES: readonly (readonly [string, Forgery])[] = [
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['the origin of another port', { origin: 'http://localhost:1' }],
    ['another relying party', { relyingParty: 'evil.example' }],
    ['a counter that goes backwards', { counter: COUNTER - 1 }],
    ['a counter that does not grow', { counter: COUNTER }],
    ['a user who was not verified', { flags: 0x01 }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['the signature of another key', { signedBy: stranger }],
    ['the handle of another account', { handle: newId('account') }],
  ]
  test.each(FORGERIES)('with %s does not sign in and changes nothing', async (_, forgery) => {
    const passkey = await aPasskey()
    const { status, text } = await signIn(passkey, forgery)
    expect([status, text.includes('This passkey could not be verified')]).toEqual([422, true])
    const sessions = await db.sql('select 1 from platform.sign_in_sessions where account_id = $1', [passkey.account])
    expect([sessions.length, await counterOf(passkey.account)]).toEqual([0, COUNTER])
  })
})
