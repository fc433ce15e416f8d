import { randomBytes } from 'node:crypto'
import type { Browser } from '#http/browser/cookies.ts'
import type { ResponseHeaders } from '#http/route.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { queueMail } from '#mail/index.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { asksSecondStep, findFactors } from '../factors/store.ts'
import { readCookieOf, tickets } from '../factors/tickets.ts'
import { findAccount } from '../store.ts'
import { type Device, type DeviceCookies, deviceLabel, rememberDevice, startSession } from './sign-ins.ts'
import { isKnownDevice } from './store.ts'

/** A sign-in: the account, and the browser in which the person signs in. */
export type SigningIn = {
  readonly account: Id<'account'>
  /** The session cookie that the browser sent. */
  readonly cookieBefore: string | null
  /** The accounts to which this browser has signed in before, from its device cookie. */
  readonly devices: readonly Device[]
  readonly userAgent: string | undefined
  /** Whether the person proved a second factor. */
  readonly withFactor?: boolean
}

export type SignedIn = {
  readonly kind: 'signed_in'
  readonly cookieValue: string
  /** The new content of the browser's device cookie. */
  readonly devices: readonly Device[]
}

/** The first step is done, but the account has a second factor, so the person is not signed in yet. */
export type SecondStepNeeded = { readonly kind: 'second_step'; readonly ticket: SecondStep }

export type Origin = { readonly origin: () => string }

/** Signs in a person who has passed every step. Null for a disabled account. */
export async function completeSignIn(
  tx: PlatformTx,
  { origin }: Origin,
  signingIn: SigningIn,
): Promise<SignedIn | null> {
  const { account, cookieBefore, devices, userAgent, withFactor = false } = signingIn
  const cookieValue = await startSession(tx, account, cookieBefore, { userAgent, withFactor })
  if (cookieValue === null) return null
  const device = devices.find((each) => each.account === account)
  const isKnown = device !== undefined && (await isKnownDevice(tx, digestOf(device.secret), account))
  if (!isKnown) await mailNewSignIn(tx, { account, origin, device: deviceLabel(userAgent), session: cookieValue })
  return { kind: 'signed_in', cookieValue, devices: await rememberDevice(tx, account, devices) }
}

/**
 * The person has given one proof: a password or a one-time link. If the account has no second factor, this proof signs them in. Otherwise
 * they get a ticket for the second step and no session. A browser that signed in before also needs the second step, because it may be on a
 * stolen laptop.
 */
export async function passFirstStep(
  tx: PlatformTx,
  deps: Origin,
  signingIn: SigningIn,
): Promise<SignedIn | SecondStepNeeded | null> {
  const factors = await findFactors(tx, signingIn.account)
  if (!asksSecondStep(factors)) return completeSignIn(tx, deps, signingIn)
  const nonce = randomBytes(16).toString('base64url')
  const ticket = { account: signingIn.account, password: factors.password_digest, nonce }
  return { kind: 'second_step', ticket }
}

type NewSignIn = Origin & { readonly account: Id<'account'>; readonly device: string; readonly session: string }

const WHEN = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

async function mailNewSignIn(tx: PlatformTx, { account, origin, device, session }: NewSignIn): Promise<void> {
  const found = await findAccount(tx, account)
  if (found === null) return
  const letter = {
    subject: 'New sign-in to your account',
    greeting: `Hello ${found.name},`,
    paragraphs: [
      'Your account was used in a browser that has not signed in to it before.',
      'If this was you, there is nothing to do. If it was not, end the session on the page below, then change your password.',
    ],
    action: { label: 'See where you are signed in', url: `${origin()}/settings/security` },
    facts: [
      ['Browser', device],
      ['Time', `${WHEN.format(new Date())} UTC`],
    ] as const,
    notes: ['We do not store the address that a sign-in came from.'],
  }
  await queueMail(tx, { key: `new-sign-in:${digestOf(session).toString('hex')}`, to: found.email, letter })
}

/** The ticket between the two steps. It works once, and becomes invalid when the password changes. */
export type SecondStep = { readonly account: Id<'account'>; readonly password: string; readonly nonce: string }

/** The time that a person has to find their phone. */
export const SECOND_STEP_SECONDS = 600
export const SECOND_STEP_PATH = '/sign-in/second-step'
const COOKIE = 'portico-second-step'

export type SignInResponses = {
  /** The ticket of this browser for its second step; null without a valid ticket. */
  readTicket(cookies: string | undefined, browser: Browser): SecondStep | null
  /** Where the browser goes next, and its cookies. */
  headers(outcome: SignedIn | SecondStepNeeded, browser: Browser, returnTo: string): ResponseHeaders
}

type ResponseDeps = Origin & {
  readonly keys: Keyring
  readonly clock: WallClock
  readonly deviceCookies: DeviceCookies
}

export function signInResponses({ origin, keys, clock, deviceCookies }: ResponseDeps): SignInResponses {
  const sealed = tickets<SecondStep>({ keys, clock }, { kind: 'second step', seconds: SECOND_STEP_SECONDS })
  const isHttps = () => origin().startsWith('https:')
  const name = () => (isHttps() ? `__Host-${COOKIE}` : COOKIE)
  const cookie = (value: string) => {
    const attributes = ['Path=/', `Max-Age=${SECOND_STEP_SECONDS}`, 'HttpOnly', 'SameSite=Lax']
    return [`${name()}=${value}`, ...attributes, ...(isHttps() ? ['Secure'] : [])].join('; ')
  }
  return {
    readTicket: (cookies, browser) => sealed.open(readCookieOf(cookies, name()), browser.csrf),
    headers(outcome, browser, returnTo) {
      if (outcome.kind === 'second_step') {
        const location = `${SECOND_STEP_PATH}?${new URLSearchParams({ return_to: returnTo })}`
        return { Location: location, 'Set-Cookie': cookie(sealed.seal(outcome.ticket, browser.csrf)) }
      }
      // There is no need to clear the ticket's cookie: the ticket was used, and is bound to the session cookie that is replaced here.
      const cookies = [browser.setCookie(outcome.cookieValue), deviceCookies.write(outcome.devices)]
      return { Location: returnTo, 'Set-Cookie': cookies }
    },
  }
}
