import { recordAudit } from '#access/audit/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { linkAccount } from '../change-account.ts'
import { isLookalikeAddress } from '../email-address.ts'
import { asksSecondStep, findFactors } from '../factors/store.ts'
import { completeSignIn, type Origin, type SignedIn } from '../sign-in/complete-sign-in.ts'
import type { Device } from '../sign-in/sign-ins.ts'
import { findAccount, findAccountByEmail, findUserOf, insertAccountIfNew, lockAccount } from '../store.ts'
import type { Identity } from './provider.ts'
import {
  findAccountByIdentity,
  findAccountOfUser,
  findSubjectOf,
  insertIdentity,
  lockActiveUserByEmail,
} from './store.ts'

/** The verified address alone does not link this account: the person first has to prove that they own the account. */
export type ProofNeeded = {
  readonly kind: 'proof_needed'
  readonly account: Id<'account'>
  /** The account's own address, which may be spelled differently from the provider's. */
  readonly email: string
  /** Whether the account has a password. */
  readonly hasPassword: boolean
}

/** `session`: the person is signed in to the account and proved a short time ago who they are. */
export type Proof = { readonly account: Id<'account'>; readonly by: 'password' | 'session' }

export type IdentityOutcome =
  | SignedIn
  | ProofNeeded
  /** The address from the provider looks like another one. */
  | { readonly kind: 'lookalike_address' }
  /** The identity has no account, and the provider sent no verified address to find or create one by. */
  | { readonly kind: 'no_verified_email' }
  /** The account with this address belongs to another person at this provider. */
  | { readonly kind: 'address_of_another' }
  | { readonly kind: 'disabled' }

/** The browser that returned from the provider. */
export type ReturningBrowser = Origin & {
  readonly cookieBefore: string | null
  readonly devices: readonly Device[]
  readonly userAgent: string | undefined
  /** What the person has just proved in this browser. */
  readonly proof: Proof | null
}

/**
 * Signs in to the account that is linked to this subject. If no account is linked, uses the account with the verified address: links it and
 * signs in to it, after its owner has given the proof that `neededProof` requires. If no account has the address, creates one.
 *
 * An unverified address finds and creates nothing. Otherwise a person could claim another person's address at the provider, and then enter
 * that person's account, or create an account that the address's owner later uses. Lock order: the account, then the users.
 */
export async function signInWithIdentity(
  tx: PlatformTx,
  identity: Identity,
  { origin, proof, ...browser }: ReturningBrowser,
): Promise<IdentityOutcome> {
  const { issuer, subject } = identity
  const isLookalike = isLookalikeAddress(identity.verifiedEmail ?? '')
  const verifiedEmail = isLookalike ? null : identity.verifiedEmail
  const linked = await findAccountByIdentity(tx, identity)
  const found = linked ?? (await accountByAddress(tx, { ...identity, verifiedEmail }))
  if (found === null) return { kind: isLookalike ? 'lookalike_address' : 'no_verified_email' }
  await lockAccount(tx, found)
  const linkedSubject = await findSubjectOf(tx, found, issuer)
  // The new owner of an address at the provider must not get the account of its earlier owner.
  if (linkedSubject !== null && linkedSubject !== subject) return { kind: 'address_of_another' }
  const needed = linkedSubject === null ? await neededProof(tx, found, proof) : null
  if (needed !== null) return needed
  // There is no second step here, because the provider's operator decides whether the provider asks for one.
  const signedIn = await completeSignIn(tx, { origin }, { account: found, ...browser })
  if (signedIn === null) return { kind: 'disabled' }
  if (linkedSubject === null) await linkIdentity(tx, found, identity)
  if (verifiedEmail !== null) await linkUsers(tx, found, verifiedEmail)
  return signedIn
}

/**
 * A linked provider signs the person in without the account's own factors, so linking needs as much proof as signing in. An account with a
 * second factor needs a session, which passed both steps; an account with only a password needs the password. For an account with neither,
 * the address that the provider has verified is enough. Null if no proof is missing.
 */
async function neededProof(tx: PlatformTx, account: Id<'account'>, proof: Proof | null): Promise<ProofNeeded | null> {
  const factors = await findFactors(tx, account)
  const hasFactor = asksSecondStep(factors)
  if (!hasFactor && !factors.has_password) return null
  if (proof?.account === account && (proof.by === 'session' || !hasFactor)) return null
  const found = await findAccount(tx, account)
  if (found === null) throw new Error('an account disappeared while it was locked')
  return { kind: 'proof_needed', account, email: found.email, hasPassword: factors.has_password }
}

/** The account with the verified address, created if it does not exist. If many requests arrive at once, one of them creates it. */
async function accountByAddress(tx: PlatformTx, identity: Identity): Promise<Id<'account'> | null> {
  const { issuer, verifiedEmail: email, name } = identity
  if (email === null) return null
  const id = newId('account')
  if (await insertAccountIfNew(tx, { id, email, name: name ?? email, password_hash: null, staff_role: null })) {
    await recordAudit(tx, { actor: id, action: 'account.created', subject: id, details: { issuer } })
    return id
  }
  const existing = await findAccountByEmail(tx, email)
  if (existing === null) throw new Error('an account disappeared between two statements')
  return existing.id
}

async function linkIdentity(tx: PlatformTx, account: Id<'account'>, identity: Identity): Promise<void> {
  await insertIdentity(tx, account, identity)
  const details = { issuer: identity.issuer }
  await recordAudit(tx, { actor: account, action: 'account.identity_linked', subject: account, details })
}

/**
 * In each world where the account has no user yet, links the active user with this address, unless another account has that user.
 */
async function linkUsers(tx: PlatformTx, account: Id<'account'>, email: string): Promise<void> {
  for (const world of WORLDS) {
    if ((await findUserOf(tx, account, world)) !== null) continue
    const user = await lockActiveUserByEmail(tx, world, email)
    if (user === null || (await findAccountOfUser(tx, world, user)) !== null) continue
    await linkAccount(tx, { account, world, user })
    const details = { world, user, because: 'verified_email' }
    await recordAudit(tx, { actor: account, action: 'account.user_linked', subject: account, details })
  }
}
