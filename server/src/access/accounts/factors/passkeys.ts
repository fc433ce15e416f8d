import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { WallClock } from '#kernel/clock.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { findPasskey, listPasskeys, type NewPasskey, type PasskeyRow, useTicket } from './store.ts'
import { tickets } from './tickets.ts'

/** A challenge is valid only for the purpose for which it was created. */
export type PasskeyPurpose = 'register' | 'sign_up' | 'sign_in' | 'second_step' | 'confirm'

type Challenge = {
  readonly challenge: string
  readonly purpose: PasskeyPurpose
  /** Null at sign-in, where the passkey itself names its account. */
  readonly account: Id<'account'> | null
}

/** For the browser: options for the authenticator, and the sealed challenge that the browser sends back with its response. */
export type PasskeyOffer = { readonly options: object; readonly ticket: string }

export type PasskeyResponse = {
  readonly purpose: PasskeyPurpose
  readonly account: Id<'account'> | null
  readonly csrf: string
  readonly ticket: string | undefined
  /** The credential, in the JSON that the browser sent. */
  readonly credential: string | undefined
}

export type VerifiedPasskey = { readonly passkey: PasskeyRow; readonly counter: number; readonly backedUp: boolean }

export type Passkeys = {
  /** Why passkeys do not work at this address; null if they work. */
  unavailable(): 'address' | 'insecure' | null
  /** `sign_up`: for an account that does not exist yet; its id is part of the sealed challenge. */
  offerRegistration(account: PasskeyOwner, csrf: string, purpose?: 'register' | 'sign_up'): Promise<PasskeyOffer>
  offerAssertion(purpose: PasskeyPurpose, account: Id<'account'> | null, csrf: string): Promise<PasskeyOffer>
  /** Null for an invalid response. */
  verifyRegistration(answer: PasskeyResponse): Promise<Omit<NewPasskey, 'name'> | null>
  verifyAssertion(answer: PasskeyResponse): Promise<VerifiedPasskey | null>
}

export type PasskeyOwner = { readonly id: Id<'account'>; readonly email: string; readonly name: string }

export type PasskeyDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly clock: WallClock
  readonly origin: () => string
  /** The name of the service, which the person's authenticator shows. */
  readonly serviceName: string
}

/** How long a challenge is valid after it was offered. The browser's prompt has the same time limit. */
const CHALLENGE_SECONDS = 300
/** COSE: EdDSA, ES256 and RS256. Every authenticator supports at least one of them. */
const ALGORITHMS = [-8, -7, -257]
const CREDENTIAL_CHARS_MAX = 20_000
const LOOPBACK_NAME = /^(?:localhost|.+\.localhost)$/

/** WebAuthn Level 3: the relying party is a domain, never an IP address, and browsers offer passkeys only to secure pages. */
function whyUnavailable(origin: string): 'address' | 'insecure' | null {
  const { hostname, protocol } = new URL(origin)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return 'address'
  return protocol === 'https:' || LOOPBACK_NAME.test(hostname) ? null : 'insecure'
}

/** Whether browsers offer passkeys to the pages of this address. */
export const passkeysWorkAt = (origin: string) => whyUnavailable(origin) === null

/** Loaded when the first passkey is used, because the library loads certificate parsers that most processes never need. */
const library = () => import('@simplewebauthn/server')

export function passkeysOf(deps: PasskeyDeps): Passkeys {
  const { platform, origin } = deps
  const sealed = tickets<Challenge>(deps, { kind: 'passkey challenge', seconds: CHALLENGE_SECONDS })
  const relyingParty = () => new URL(origin()).hostname
  const seal = (challenge: Challenge, csrf: string) => sealed.seal(challenge, csrf)

  /** Marks the challenge as used and returns it. Null if it is for another browser, purpose or account, is expired, or was used before. */
  const takeChallenge = async ({ purpose, account, csrf, ticket }: PasskeyResponse): Promise<string | null> => {
    const found = sealed.open(ticket, csrf)
    if (found === null || found.purpose !== purpose || found.account !== account) return null
    const isFirst = await useTicket(platform.reads, digestOf(found.challenge), CHALLENGE_SECONDS)
    return isFirst ? found.challenge : null
  }

  return {
    unavailable: () => whyUnavailable(origin()),
    async offerRegistration({ id, email, name }, csrf, purpose = 'register') {
      const { generateRegistrationOptions } = await library()
      const existing = await listPasskeys(platform.reads, id)
      const options = await generateRegistrationOptions({
        rpName: deps.serviceName,
        rpID: relyingParty(),
        userID: new TextEncoder().encode(id),
        userName: email,
        userDisplayName: name,
        challenge: new Uint8Array(randomBytes(32)),
        timeout: CHALLENGE_SECONDS * 1_000,
        attestationType: 'none',
        excludeCredentials: existing.map(descriptorOf),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const { challenge } = options
      return { options, ticket: seal({ challenge, purpose, account: id }, csrf) }
    },
    async offerAssertion(purpose, account, csrf) {
      const challenge = randomBytes(32).toString('base64url')
      const allowed = account === null ? [] : await listPasskeys(platform.reads, account)
      const options = {
        challenge,
        rpId: relyingParty(),
        timeout: CHALLENGE_SECONDS * 1_000,
        userVerification: 'required',
        allowCredentials: allowed.map((passkey) => ({ ...descriptorOf(passkey), type: 'public-key' })),
      }
      return { options, ticket: seal({ challenge, purpose, account }, csrf) }
    },
    async verifyRegistration(result) {
      const { account } = result
      const expectedChallenge = await takeChallenge(result)
      const response = credentialOf<RegistrationResponseJSON>(result.credential)
      if (expectedChallenge === null || response === null || account === null) return null
      const { verifyRegistrationResponse } = await library()
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin(),
        expectedRPID: relyingParty(),
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => ({ registrationInfo: undefined }))
      if (registrationInfo === undefined) return null
      const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
      return {
        account_id: account,
        credential_id: Buffer.from(credential.id, 'base64url'),
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        synced: credentialDeviceType === 'multiDevice',
        backed_up: credentialBackedUp,
        transports: knownTransports(credential.transports),
      }
    },
    async verifyAssertion(result) {
      const expectedChallenge = await takeChallenge(result)
      const response = credentialOf<AuthenticationResponseJSON>(result.credential)
      if (expectedChallenge === null || response === null) return null
      const passkey = await findPasskey(platform.reads, Buffer.from(response.id, 'base64url'))
      if (passkey === null || (result.account !== null && passkey.account_id !== result.account)) return null
      if (!isHandleOf(response.response?.userHandle, passkey.account_id)) return null
      const { verifyAuthenticationResponse } = await library()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin(),
        expectedRPID: relyingParty(),
        requireUserVerification: true,
        credential: {
          id: passkey.credential_id.toString('base64url'),
          publicKey: new Uint8Array(passkey.public_key),
          counter: passkey.counter,
        },
      }).catch(() => ({ verified: false, authenticationInfo: undefined }))
      if (!verified || authenticationInfo === undefined) return null
      const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo
      return { passkey, counter, backedUp }
    },
  }
}

function descriptorOf({ credential_id, transports }: PasskeyRow) {
  return { id: credential_id.toString('base64url'), transports: [...transports] }
}

/** WebAuthn, 5.8.4. All other values that a browser sends are dropped. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

function knownTransports(named: readonly string[] | undefined): readonly string[] {
  return TRANSPORTS.filter((transport) => named?.includes(transport) === true)
}

/** A discoverable passkey sends the id of its account; other passkeys may omit it. */
function isHandleOf(handle: unknown, account: Id<'account'>): boolean {
  if (handle === undefined || handle === null || handle === '') return true
  return typeof handle === 'string' && parseId('account', Buffer.from(handle, 'base64url').toString()) === account
}

function credentialOf<T extends { readonly id: string }>(text: string | undefined): T | null {
  if (text === undefined || text.length > CREDENTIAL_CHARS_MAX) return null
  try {
    const value: unknown = JSON.parse(text)
    const isCredential = typeof value === 'object' && value !== null && typeof Reflect.get(value, 'id') === 'string'
    return isCredential ? (value as T) : null
  } catch {
    // Not JSON, so our own script did not send it.
    return null
  }
}
