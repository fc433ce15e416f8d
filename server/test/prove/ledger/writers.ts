import { updateUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { ApiError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { endRole, setRole } from '#market/companies/index.ts'
import {
  cancelInvestment,
  changeAmount,
  changeDetails,
  convertInvestment,
  deactivateInvestor,
  executeInvestment,
  hideInvestment,
  moveToOffering,
  receivePayment,
  recordInvestment,
  refundPayment,
  reinstate,
  unhideInvestment,
} from '#market/investments/index.ts'
import { updateOffering } from '#market/offerings/index.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { occasionAt } from '#test/caused-events.ts'
import type { Random } from '../random.ts'
import type { Findings } from './findings.ts'
import type { FixedData } from './fixed-data.ts'

/** The state that all writers share. */
export type Scene = {
  readonly db: WorldDatabase
  readonly fixed: FixedData
  readonly investments: Id<'investment'>[]
  /**
   * The number of the last change. It is assigned while the investment is locked, so for each investment it only grows.
   */
  revision: number
  readonly findings: Findings
}

type Act = (tx: Tx, scene: Scene, random: Random) => Promise<void>

const START_MS = Date.UTC(2026, 5, 1)
const occasion = (scene: Scene): Occasion =>
  occasionAt(new Date(START_MS + scene.revision * 1_000).toISOString().replace('Z', '000Z'))
const amount = (random: Random) => (10_000 * (1 + random.below(50))) as Cents

const invest: Act = async (tx, scene, random) => {
  const { fixed } = scene
  const investment = {
    id: newId('investment'),
    offering: random.pick(fixed.offerings).id,
    investor: random.pick(fixed.investors),
    amount_cents: amount(random),
    message: 'for fun',
  }
  await recordInvestment(tx, investment, occasion(scene))
  await revise(tx, scene, investment.id)
  scene.investments.push(investment.id)
}

type On = (tx: Tx, id: Id<'investment'>, scene: Scene, random: Random) => Promise<void>

/** Applies a change of an investment and a new revision in the same transaction. */
const on =
  (move: On): Act =>
  async (tx, scene, random) => {
    if (scene.investments.length === 0) return
    const id = random.pick(scene.investments)
    await move(tx, id, scene, random)
    await revise(tx, scene, id)
  }

async function revise(tx: Tx, scene: Scene, id: Id<'investment'>): Promise<void> {
  // An empty update locks the investment before the number is assigned.
  await changeDetails(tx, { id, contracts: [] }, occasion(scene))
  scene.revision += 1
  const shares = { count: String(scene.revision), average_price: '1' }
  await changeDetails(tx, { id, shares }, occasion(scene))
}

const rename: Act = async (tx, scene, random) => {
  scene.revision += 1
  await updateUser(tx, { id: random.pick(scene.fixed.investors), name: `Person at ${scene.revision}` }, occasion(scene))
}

/** Gives every user with a name another name. Returns their ids. */
export async function renameAllUsers(scene: Scene): Promise<ReadonlySet<string>> {
  const renamed = new Set<string>()
  for (const id of scene.fixed.investors) {
    scene.revision += 1
    const update = { id, name: `Quiet person ${scene.revision}` }
    try {
      await scene.db.transaction((tx) => updateUser(tx, update, occasion(scene)))
      renamed.add(id)
    } catch (error) {
      // A deactivated user has no name.
      if (!(error instanceof ApiError)) throw error
    }
  }
  return renamed
}

const deactivate: Act = async (tx, scene, random) => {
  const { readers, investors } = scene.fixed
  const id = random.pick(investors.filter((user) => !readers.includes(user)))
  await deactivateInvestor(tx, { id, addresses: [] }, occasion(scene))
}

/** Gives or takes one role, so that a person sometimes has two. A person has access if any of their roles may edit. */
const changeRole: Act = async (tx, scene, random) => {
  const { readers, companies } = scene.fixed
  const role = random.pick(['editor', 'admin', 'employee'] as const)
  const held = { company: random.pick(companies), user: random.pick(readers), role }
  await (random.oneIn(2) ? setRole : endRole)(tx, held, occasion(scene))
}

const changeTerms: Act = async (tx, scene, random) => {
  const type = random.pick(['safe', 'debt'] as const)
  const security =
    type === 'safe' ? { type, terms: { valuation_cap: '9000000' } } : { type, terms: { interest_rate_percent: '5' } }
  await updateOffering(
    tx,
    { id: random.pick(scene.fixed.offerings).id, security } as Parameters<typeof updateOffering>[1],
    occasion(scene),
  )
}

const ACTS: readonly (readonly [weight: number, act: Act])[] = [
  [12, invest],
  [20, on(async () => {})],
  [8, on((tx, id, scene, random) => changeAmount(tx, { id, amount_cents: amount(random) }, occasion(scene)))],
  [8, on((tx, id, scene) => hideInvestment(tx, { id }, occasion(scene)))],
  [8, on((tx, id, scene) => unhideInvestment(tx, { id }, occasion(scene)))],
  [
    10,
    on(async (tx, id, scene, random) => {
      const offering = random.pick(scene.fixed.offerings).id
      scene.investments.push(await moveToOffering(tx, { id, offering }, occasion(scene)))
    }),
  ],
  [6, on((tx, id, scene) => receivePayment(tx, { id }, occasion(scene)))],
  [2, on((tx, id, scene) => refundPayment(tx, { id }, occasion(scene)))],
  [5, on((tx, id, scene) => cancelInvestment(tx, { id }, occasion(scene)))],
  [5, on((tx, id, scene) => reinstate(tx, { id, graceDays: 3_650 }, occasion(scene)))],
  [2, on((tx, id, scene) => executeInvestment(tx, { id }, occasion(scene)))],
  [2, on((tx, id, scene) => convertInvestment(tx, { id, to: null }, occasion(scene)))],
  [4, rename],
  [1, deactivate],
  [3, changeRole],
  [1, changeTerms],
]

const LOT = ACTS.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))

/** Writes one fact in its own transaction, which waits a while before it commits. */
export async function writeOnce(scene: Scene, random: Random, { holdMs }: { readonly holdMs: number }): Promise<void> {
  const act = random.pick(LOT)
  try {
    await scene.db.transaction(async (tx) => {
      await act(tx, scene, random)
      await random.pause(holdMs)
    })
  } catch (error) {
    // The fact was rejected, or its connection was cut. After a cut, only the tables show whether the fact was written.
    if (!(error instanceof ApiError || error instanceof DatabaseUnavailable))
      scene.findings.add('error', `a writer: ${error}`)
  }
}
