import { ensureUserOf } from '#access/accounts/index.ts'
import { lockUser, registerUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { ApiError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { createCompany, setRole } from '#market/companies/index.ts'
import { confirmInvestment, receivePayment, recordInvestment, setCheck } from '#market/investments/index.ts'
import { createOffering, openOffering } from '#market/offerings/index.ts'
import { createSyndicate, setManager } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { companyPagePath } from '#views/catalog/index.ts'
import { findFoundedCompany } from './store.ts'

export type OwnCompany = {
  readonly id: Id<'company'>
  readonly name: string
  /** An open offering that accepts investments. */
  readonly offering: Id<'offering'>
}

/**
 * "Installing outside the app's own organization needs an approved app", so a new developer can install a new app only on a company
 * of their own. `ensureOwnCompany` returns a company of the test world that the account's user founded, with an open offering. It
 * creates the records that are missing: the user, the company with a syndicate, a round. The account is locked first, so that a
 * person gets only one company, even with two requests at the same time.
 */
export async function ensureOwnCompany(
  tx: Tx,
  account: Id<'account'>,
  occasion: Occasion,
): Promise<{ readonly company: OwnCompany; readonly isNew: boolean }> {
  const user = await ensureUserOf(tx, account, () => registerPerson(tx, 'Sandbox founder', occasion))
  if ((await lockUser(tx, 'user', user)).deactivated) throw deactivatedFounder()
  const found = await findFoundedCompany(tx, user)
  if (found !== null && found.offering !== null) {
    return { company: { ...found, offering: found.offering }, isNew: false }
  }
  const { id, name } = found ?? (await foundCompany(tx, user, occasion))
  return { company: { id, name, offering: await openRound(tx, id, occasion) }, isNew: found === null }
}

function deactivatedFounder(): ApiError {
  return new ApiError('illegal_transition', {
    public: 'Your user in the sandbox was deactivated, which is final. It cannot run a company.',
    remediation: 'Ask another person of your team to create a sandbox company and install the app on it.',
    details: { from: 'deactivated', event: 'create', allowed: [] },
  })
}

/** People with invented names. Deleting an account cannot erase a person in the test world, so no real name or address is used. */
async function registerPerson(tx: Tx, name: string, occasion: Occasion): Promise<Id<'user'>> {
  const id = newId('user')
  await registerUser(tx, { id, name, email: `${id.toLowerCase()}@sandbox.example` }, occasion)
  return id
}

const FIRST = [
  'Amber',
  'Birch',
  'Cedar',
  'Copper',
  'Flint',
  'Harbor',
  'Juniper',
  'Linden',
  'Marble',
  'Quarry',
  'Saffron',
]
const SECOND = ['Bakery', 'Bicycles', 'Ceramics', 'Instruments', 'Kitchens', 'Lanterns', 'Looms', 'Optics', 'Robotics']

/**
 * A random name. If companies had the organization's name, colleagues could not distinguish their companies. A real
 * name is not used, because other partners may see the name.
 */
function inventedName(id: Id<'company'>): string {
  // The last letters of an id are random.
  const [one = 0, two = 0] = id
    .slice(-2)
    .split('')
    .map((letter) => letter.charCodeAt(0))
  return `${FIRST[one % FIRST.length]} ${SECOND[two % SECOND.length]}`
}

type Named = { readonly id: Id<'company'>; readonly name: string }

/** Creates the company, and a syndicate of the same person for moves on members. */
async function foundCompany(tx: Tx, founder: Id<'user'>, occasion: Occasion): Promise<Named> {
  const id = newId('company')
  const invented = inventedName(id)
  const name = `${invented} (sandbox)`
  const slug = `${invented.toLowerCase().replace(' ', '-')}-${id.slice(-10).toLowerCase()}`
  const page_url = companyPagePath('test', slug)
  await createCompany(tx, { id, name, slug, page_url, tagline: 'A company of the sandbox.' }, occasion)
  await setRole(tx, { company: id, user: founder, role: 'founder' }, occasion)
  const syndicateId = newId('syndicate')
  await createSyndicate(
    tx,
    { id: syndicateId, createdBy: founder, settings: { name: `Friends of ${name}`, slug } },
    occasion,
  )
  await setManager(tx, { syndicateId, userId: founder, permission: 'full_access' }, occasion)
  return { id, name }
}

const SAFE = { type: 'safe', terms: { valuation_cap: '8000000', discount_percent: '20' } } as const

/**
 * Creates one raise with two offerings: one for reservations and one for investments. The second has two investments, one of them
 * confirmed, so that a first sync returns records. The offerings are not listed, because the catalogue would show them to all
 * other partners.
 */
async function openRound(tx: Tx, company: Id<'company'>, occasion: Occasion): Promise<Id<'offering'>> {
  const raise = newId('raise')
  const terms = { company, raise, currency: 'usd', exemption: 'reg_cf', min_investment_cents: 10_000 as Cents } as const
  const waters = { id: newId('offering'), testing_the_waters: true, intended_security: 'safe' } as const
  const offering = { id: newId('offering'), security: SAFE }
  for (const each of [waters, offering]) {
    await createOffering(tx, { ...terms, ...each }, occasion)
    await openOffering(tx, each, occasion)
  }
  const [iris, theo] = [
    await invest(tx, { investor: 'Iris Investor', offering: offering.id, amount_cents: 50_000 as Cents }, occasion),
    await invest(tx, { investor: 'Theo Investor', offering: offering.id, amount_cents: 120_000 as Cents }, occasion),
  ]
  await receivePayment(tx, { id: theo }, occasion)
  await receivePayment(tx, { id: iris }, occasion)
  await setCheck(tx, { id: iris, check: 'identity', state: 'passed' }, occasion)
  await setCheck(tx, { id: iris, check: 'signature', state: 'passed' }, occasion)
  await confirmInvestment(tx, { id: iris }, occasion)
  return offering.id
}

type Investing = { readonly investor: string; readonly offering: Id<'offering'>; readonly amount_cents: Cents }

async function invest(
  tx: Tx,
  { investor: name, ...commitment }: Investing,
  occasion: Occasion,
): Promise<Id<'investment'>> {
  const investor = await registerPerson(tx, name, occasion)
  return recordInvestment(tx, { id: newId('investment'), investor, ...commitment }, occasion)
}
