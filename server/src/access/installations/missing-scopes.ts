import { type AppProgram, programScopes, requestedProgram } from '#access/apps/index.ts'
import { closure, inCatalogueOrder, type ScopeName } from '#access/scopes/index.ts'
import { grantOffer, type WhyWithheld } from './grant-rules.ts'
import type { Installation } from './installation.ts'

/**
 * Why an installation lacks a scope that the app asks for.
 *
 * removed                the app lost the scope after the installation; "a grant never grows", so it does not come back
 * program_pending        the platform has not answered the request for the program that the scope belongs to
 * pii_not_approved       investor identity needs the platform's approval of the app
 * tier_without_writes    an editor's installation has no write scopes
 * founder_only           only a founder can grant it, on their company
 * must_be_listed         it is granted only to a request that lists it by name
 * not_for_installations  only the app's own credentials have it
 * retired                another scope replaced it
 * not_consented          a new installation could have it: it was declared or approved later, or the request or the person
 *                        left it out
 */
export const WHY_MISSING = [
  'removed',
  'program_pending',
  'pii_not_approved',
  'tier_without_writes',
  'founder_only',
  'must_be_listed',
  'not_for_installations',
  'retired',
  'not_consented',
] as const
export type WhyMissing = (typeof WHY_MISSING)[number]

export type MissingScope = { readonly scope: ScopeName; readonly reason: WhyMissing }

/** The scopes that the app requests now. */
export type AppWishes = {
  readonly scopes: readonly string[]
  readonly piiApproved: boolean
  readonly programs: readonly AppProgram[]
}

/**
 * The scopes that the app declares, that pending programs would add, and that the installation had before, in the
 * catalogue's order.
 */
export function requestedScopes({ takenScopes }: Pick<Installation, 'takenScopes'>, app: AppWishes) {
  return inCatalogueOrder([...app.scopes, ...pendingScopes(app), ...takenScopes])
}

export function missingScopes(installation: Installation, app: AppWishes): readonly MissingScope[] {
  const grantedScopes = closure(installation.scopes)
  return requestedScopes(installation, app)
    .filter((scope) => !grantedScopes.has(scope))
    .map((scope) => ({ scope, reason: whyMissing(scope, installation, app) }))
}

function whyMissing(scope: ScopeName, installation: Installation, app: AppWishes): WhyMissing {
  if (installation.takenScopes.includes(scope)) return 'removed'
  if (!app.scopes.includes(scope)) return 'program_pending'
  // The scopes that a new installation would not get today. `onTeam` is false, so that a missing approval counts as a reason: members of
  // the app's team do not need it.
  const { withheld } = grantOffer({
    ...{ declared: app.scopes, requested: null, tier: installation.tier, targetType: installation.target.type },
    ...{ onTeam: false, piiApproved: app.piiApproved },
  })
  const why = withheld.find((one) => one.scope === scope)?.why
  return why === undefined ? 'not_consented' : REASON[why]
}

const REASON: Readonly<Record<WhyWithheld, WhyMissing>> = {
  // `unknown` and `not_declared` cannot occur, because the names come from the catalogue and from the app's own declaration.
  unknown: 'not_consented',
  not_declared: 'not_consented',
  retired: 'retired',
  not_for_installations: 'not_for_installations',
  must_be_listed: 'must_be_listed',
  editor_no_writes: 'tier_without_writes',
  founder_only: 'founder_only',
  pii_not_approved: 'pii_not_approved',
}

/** The scopes of programs and tiers that the team has asked for and the platform has not granted. */
function pendingScopes({ programs, scopes }: AppWishes): readonly ScopeName[] {
  return programs
    .map(requestedProgram)
    .filter((program) => program !== null)
    .flatMap(programScopes)
    .filter((name) => !scopes.includes(name))
}
