import { setTimeout as wait } from 'node:timers/promises'
import { updateUser } from '#access/people/index.ts'
import { advanceClock } from '#intake/sandbox/clock-routes.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { publishChanges } from '#ledger/publish/rounds.ts'
import { type CompanyRole, endRole, setRole } from '#market/companies/index.ts'
import {
  cancelInvestment,
  changeDetails,
  deactivateInvestor,
  hideInvestment,
  moveToOffering,
  receivePayment,
  recordInvestment,
} from '#market/investments/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { relocateInPlace } from '#test/relocation.ts'
import { compareAfterRenaming } from './agreement.ts'
import type { HardMomentsStage } from './hard-moments-stage.ts'

/**
 * The interleavings at which a ledger can fail, run one after another. A random run would reach them only by chance.
 * After each interleaving, every reader must have exactly the records that it may see.
 */
export const HARD_MOMENTS = [
  ['investments exist', begin],
  ['more changes than a page holds', severalPages],
  ['records disappear', disappear],
  ['a record moved to another offering in place', relocate],
  ['a record moves to another offering', move],
  ['a record changes again while it is being published', changeTwice],
  ['two processes publish at the same time', publishTwice],
  ['a change is published while a page is read', readMeanwhile],
  ['a change is published while a listing is read', listMeanwhile],
  ['the clock is moved while a change is published', moveClock],
  ['a reader becomes an editor and loses the role', changeAccess],
  ['an investor gets another name', rename],
  ['an investor gets another name after another change', changeAndRename],
  ['an investor is deactivated', deactivate],
] as const

export type Moment = (typeof HARD_MOMENTS)[number][0]

async function begin({ write, stock, fixed }: HardMomentsStage): Promise<void> {
  const [offering] = fixed.offerings
  const [reader] = fixed.readers
  for (let at = 0; at < 6; at++) {
    const investor = at === 0 ? reader : fixed.investors[3 + (at % 3)]
    if (offering === undefined || investor === undefined) throw new Error('the fixed records are missing')
    const amount = 25_000 as Cents
    const committed = {
      id: newId('investment'),
      offering: offering.id,
      investor,
      amount_cents: amount,
      message: 'for fun',
    }
    await write((tx) => recordInvestment(tx, committed, occasionAt()))
    stock.push(committed.id)
  }
}

/** Returns the n-th existing investment. */
function nth({ stock }: HardMomentsStage, at: number): Id<'investment'> {
  const id = stock[at]
  if (id === undefined) throw new Error(`there are fewer than ${at + 1} investments`)
  return id
}

async function revise({ write, next }: HardMomentsStage, id: Id<'investment'>): Promise<void> {
  const revision = next()
  await write((tx) => changeDetails(tx, { id, shares: { count: String(revision), average_price: '1' } }, occasionAt()))
}

async function severalPages(stage: HardMomentsStage): Promise<void> {
  for (const at of [0, 1, 2, 3, 4]) await revise(stage, nth(stage, at))
}

async function disappear(stage: HardMomentsStage): Promise<void> {
  await stage.write((tx) => hideInvestment(tx, { id: nth(stage, 1) }, occasionAt()))
  await stage.write((tx) => cancelInvestment(tx, { id: nth(stage, 2) }, occasionAt()))
}

/**
 * Moves a record in place, as the service did before moves were conversions. Readers must still get such moves from the
 * change queue.
 */
async function relocate(stage: HardMomentsStage): Promise<void> {
  const [, second] = stage.fixed.offerings
  if (second === undefined) throw new Error('the fixed records are missing')
  await stage.write((tx) => relocateInPlace(tx, { id: nth(stage, 3), offering: second.id }))
}

/** Moves a paid investment, so that its money would be counted twice if the old and the new record both had it. */
async function move(stage: HardMomentsStage): Promise<void> {
  const [first] = stage.fixed.offerings
  if (first === undefined) throw new Error('the fixed records are missing')
  const id = nth(stage, 3)
  await stage.write((tx) => receivePayment(tx, { id }, occasionAt()))
  await stage.agree()
  await stage.write((tx) => moveToOffering(tx, { id, offering: first.id }, occasionAt()))
}

/** The second change commits after the first change was derived, and before the first publishing commits. */
async function changeTwice(stage: HardMomentsStage): Promise<void> {
  const derived = gate()
  await revise(stage, nth(stage, 4))
  const publishing = publishOn(
    stage.publisher({ before: async (name) => (name === 'ledger.write_heads' ? derived.pass() : undefined) }),
    stage,
  )
  try {
    await derived.reached
    await revise(stage, nth(stage, 4))
  } finally {
    derived.open()
    await publishing
  }
}

/**
 * The second publisher starts before the first has committed, and commits after readers have read the first publisher's
 * changes. If the ledger is locked, the second publisher does nothing.
 */
async function publishTwice(stage: HardMomentsStage): Promise<void> {
  const [first, second] = [gate(), gate()]
  const beforeTheEnd = (pass: () => Promise<void>) =>
    stage.publisher({ before: async (name) => (name === 'ledger.mark_time' ? pass() : undefined) })
  await revise(stage, nth(stage, 4))
  const publishing = publishOn(beforeTheEnd(first.pass), stage)
  await first.reached
  await revise(stage, nth(stage, 5))
  let isOver = false
  const other = publishOn(beforeTheEnd(second.pass), stage).finally(() => {
    isOver = true
  })
  try {
    while (!isOver && !(await somebodyWaits(stage))) await wait(2)
    first.open()
    await publishing
    for (const { reader } of stage.readers) await reader.catchUp()
  } finally {
    first.open()
    second.open()
    await Promise.all([publishing, other])
  }
}

async function somebodyWaits({ db }: HardMomentsStage): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await db.sql(waiting)).length > 0
}

async function readMeanwhile(stage: HardMomentsStage): Promise<void> {
  for (const { reader } of stage.readers) {
    stage.meanwhile(() => changeAndPublish(stage))
    await reader.catchUp(stage.happens)
    await stage.happens()
  }
}

async function listMeanwhile(stage: HardMomentsStage): Promise<void> {
  for (const one of stage.readers) {
    one.reader = one.reader.fresh()
    stage.meanwhile(() => changeAndPublish(stage))
    await one.reader.catchUp(stage.happens)
    await stage.happens()
  }
}

/** Changes the first investment, which every listing has passed by then. */
async function changeAndPublish(stage: HardMomentsStage): Promise<void> {
  await revise(stage, nth(stage, 0))
  await publishOn(stage.publisher({}), stage)
}

/** A reader that syncs by the new time must not miss a state that was published with the old time. */
async function moveClock(stage: HardMomentsStage): Promise<void> {
  const { db, readers } = stage
  const published = gate()
  const advance = (by: string) => db.databases.test.transaction((tx) => advanceClock(tx, { advance: by }))
  // The ledger stores a time at most every five seconds. A minute later, the next batch stores its time.
  await advance('PT1M')
  await revise(stage, nth(stage, 4))
  const publishing = publishOn(
    stage.publisher({ before: async (name) => (name === 'ledger.write_heads' ? published.pass() : undefined) }),
    stage,
  )
  await published.reached
  let isOver = false
  const moved = advance('P1D').finally(() => {
    isOver = true
  })
  try {
    while (!isOver && !(await somebodyWaits(stage))) await wait(2)
    for (const { reader, marks } of readers) {
      const [now] = await db.sql<{ at: Date }>('select test.world_now() as at')
      await reader.catchUp()
      marks.push({ query: { updated_since: now?.at.toISOString() ?? '' }, held: new Map(reader.held) })
    }
  } finally {
    published.open()
    await Promise.all([publishing, moved])
  }
}

/** A cursor from before the reader had access stays too old, even when one role ends and another role keeps the access. */
async function changeAccess(stage: HardMomentsStage): Promise<void> {
  const { fixed, write, agree, readers } = stage
  const [[user], company] = [fixed.readers, fixed.companies[1]]
  const there = fixed.offerings.find((offering) => offering.company === company)
  const investor = fixed.investors[4]
  if (user === undefined || there === undefined || investor === undefined)
    throw new Error('the fixed records are missing')
  const old = { id: newId('investment'), offering: there.id, investor, amount_cents: 25_000 as Cents }
  await write((tx) => recordInvestment(tx, old, occasionAt()))
  await agree()
  for (const { reader, marks } of readers) marks.push(reader.bookmark())
  const held = { company: there.company, user }
  const change = (how: typeof setRole, role: CompanyRole) => write((tx) => how(tx, { ...held, role }, occasionAt()))
  await change(setRole, 'editor')
  await agree()
  await change(setRole, 'admin')
  await change(endRole, 'editor')
  await agree()
  await change(endRole, 'admin')
}

/** The number of an investor, and of a visible record of that investor. */
const RENAMED = 4

async function rename(stage: HardMomentsStage): Promise<void> {
  const { fixed, write, agree, readers } = stage
  await agree()
  const id = fixed.investors[RENAMED]
  if (id === undefined) throw new Error('the fixed records are missing')
  await write((tx) => updateUser(tx, { id, name: `Person at ${stage.next()}` }, occasionAt()))
  await publishOn(stage.publisher({}), stage)
  for (const { reader } of readers) await compareAfterRenaming(stage, reader, new Set([id]))
}

/** Runs while no reader reads. Readers that do not see the name must still get the earlier change. */
async function changeAndRename(stage: HardMomentsStage): Promise<void> {
  const { fixed, write } = stage
  const id = fixed.investors[RENAMED]
  if (id === undefined) throw new Error('the fixed records are missing')
  await revise(stage, nth(stage, RENAMED))
  await publishOn(stage.publisher({}), stage)
  await write((tx) => updateUser(tx, { id, name: `Person at ${stage.next()}` }, occasionAt()))
}

async function deactivate({ fixed, write }: HardMomentsStage): Promise<void> {
  const id = fixed.investors[5]
  if (id === undefined) throw new Error('the fixed records are missing')
  await write((tx) => deactivateInvestor(tx, { id, addresses: [] }, occasionAt()))
}

async function publishOn(db: WorldDatabase, { derivation }: HardMomentsStage): Promise<void> {
  await db.transaction((tx) => publishChanges(tx, { derivation, limit: 100, beside: db.beside }))
}

/** Returns a barrier that blocks until it is opened. */
function gate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pass = async () => {
    reached.resolve()
    await opened.promise
  }
  return { pass, reached: reached.promise, open: opened.resolve }
}
