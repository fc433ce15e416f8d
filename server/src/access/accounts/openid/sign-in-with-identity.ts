import { recordAudit } from '#access/audit/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { linkAccount } from '../change-account.ts'
import { isLookalikeAddress } from '../email-address.ts'
import { asksSecondStep, findFactors } from '../factors/store.ts'
import { completeSignIn, type Origin, type SignedIn } from '../sign-in/arrival.ts'
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

/** The address alone does not link this account: its owner proves first that it is theirs. */
export type ProofNeeded = {
  readonly kind: 'proof_needed'
  readonly account: Id<'account'>
  /** As the account has it. */
  readonly email: string
  /** Whether the account has a password. */
  readonly hasPassword: boolean
}

/** `session`: the person is signed in to the account and proved a short time ago who they are. */
export type Proof = { readonly account: Id<'account'>; readonly by: 'password' | 'session' }

export type IdentityOutcome =
  | SignedIn
  | ProofNeeded
  /** The provider's address passes for another one. */
  | { readonly kind: 'lookalike_address' }
  /** No account, and no address that would lead to one. */
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
 * The person the provider vouches for: the account of this subject; else the one with the verified address, which is this
 * subject's from now on, once its owner proved what `neededProof` asks for; else a new one. An address that is not verified
 * finds and makes nothing: a person who could claim an address at the provider could otherwise walk into its owner's account,
 * or wait in a new one for the owner to come.
 * Lock order: the account, then the users.
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
  const known = await findSubjectOf(tx, found, issuer)
  // An address that changed hands at the provider must not open what its earlier owner left here.
  if (known !== null && known !== subject) return { kind: 'address_of_another' }
  const needed = known === null ? await neededProof(tx, found, proof) : null
  if (needed !== null) return needed
  // The provider's own factors count: it has asked for them, or its operator decided not to.
  const signedIn = await completeSignIn(tx, { origin }, { account: found, ...browser })
  if (signedIn === null) return { kind: 'disabled' }
  if (known === null) await linkIdentity(tx, found, identity)
  if (verifiedEmail !== null) await linkUsers(tx, found, verifiedEmail)
  return signedIn
}

/**
 * A linked provider signs in without the account's own factors. So linking needs as much as signing in does: with a factor a
 * session, which went through both steps; with only a password, the password. An account with neither has no other way in
 * than its address, and the provider's word is enough. Null if nothing is missing.
 */
async function neededProof(tx: PlatformTx, account: Id<'account'>, proof: Proof | null): Promise<ProofNeeded | null> {
  const factors = await findFactors(tx, account)
  const hasFactor = asksSecondStep(factors)
  if (!hasFactor && !factors.has_password) return null
  if (proof?.account === account && (proof.by === 'session' || !hasFactor)) return null
  const found = await findAccount(tx, account)
  if (found === null) throw new Error('an account vanished while it was locked')
  return { kind: 'proof_needed', account, email: found.email, hasPassword: factors.has_password }
}

/** The account with the verified address, made if there is none; of many at once, one makes it. */
async function accountByAddress(tx: PlatformTx, identity: Identity): Promise<Id<'account'> | null> {
  const { issuer, verifiedEmail: email, name } = identity
  if (email === null) return null
  const id = newId('account')
  if (await insertAccountIfNew(tx, { id, email, name: name ?? email, password_hash: null, staff_role: null })) {
    await recordAudit(tx, { actor: id, action: 'account.created', subject: id, details: { issuer } })
    return id
  }
  const existing = await findAccountByEmail(tx, email)
  if (existing === null) throw new Error('an account vanished between two statements')
  return existing.id
}

async function linkIdentity(tx: PlatformTx, account: Id<'account'>, identity: Identity): Promise<void> {
  await insertIdentity(tx, account, identity)
  const details = { issuer: identity.issuer }
  await recordAudit(tx, { actor: account, action: 'account.identity_linked', subject: account, details })
}

/** In each world where this account has no user yet, it becomes the active user with this address, if that one is free. */
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
