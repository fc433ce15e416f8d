import { Type } from 'typebox'
import { appendEvent } from '#events/index.ts'
import { idOf, line } from '#http/schema-fields.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { illegalTransition, type StateMachine } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { type FactType, factType } from '../fact-type.ts'
import { AmountCents, Email, Time } from '../fields.ts'

/** Fact types that exist only for tests of the feed. Each does one simple thing that a test can observe. */

const INSERT_USER = statement('probe.insert_user', 'insert into users (id, name, email) values ($1, $2, $3)')
const LOCK_USER = statement<{ id: string }>('probe.lock_user', 'select id from users where id = $1 for update')

const Data = Type.Object(
  {
    id: idOf('user'),
    name: line(200),
    email: Email,
    amount_cents: Type.Optional(AmountCents),
    at: Type.Optional(Time),
  },
  { additionalProperties: false },
)

/** Appends two events, so that a test can check their order. */
async function appendTwoEvents(tx: Tx, userId: string, occasion: Parameters<typeof appendEvent>[2]): Promise<void> {
  const event = {
    subject: { userId: userId as Id<'user'> },
    occurredAt: occasion.occurredAt,
    data: { id: 'mem_example', status: 'pending', user: { id: userId }, approved_by: null },
    identity: { user: { name: 'Ada', email: 'ada@example.com' } },
  }
  await appendEvent(tx, { ...event, name: 'syndicate_member.applied' }, occasion)
  await appendEvent(tx, { ...event, name: 'investment.executed', data: { amounts: { committed: 250 } } }, occasion)
}

const light: StateMachine<'green', 'go', never> = {
  noun: 'light',
  table: { none: { go: { to: 'green', events: [] } }, green: {} },
}

const Nothing = Type.Object({}, { additionalProperties: false })
const Two = Type.Object({ first: idOf('user'), second: idOf('user') }, { additionalProperties: false })

export const probeFacts: readonly FactType[] = [
  factType({
    type: 'probe.told',
    summary: 'Makes a user and two events.',
    data: Data,
    example: { id: newId('user'), name: 'Ada', email: 'ada@example.com' },
    apply: async (tx, { id, name, email }, { occasion }) => {
      await tx.run(INSERT_USER, [id, name, email])
      await appendTwoEvents(tx, id, occasion)
    },
  }),
  factType({
    type: 'probe.quiet',
    summary: 'Makes a user and no event.',
    data: Data,
    example: { id: newId('user'), name: 'Ada', email: 'ada@example.com' },
    apply: (tx, { id, name, email }) => tx.run(INSERT_USER, [id, name, email]),
  }),
  factType({
    type: 'probe.missing',
    summary: 'Makes a user, then finds that another record does not exist.',
    data: Data,
    example: { id: newId('user'), name: 'Ada', email: 'ada@example.com' },
    apply: async (tx, { id, name, email }, { occasion }) => {
      await tx.run(INSERT_USER, [id, name, email])
      await appendTwoEvents(tx, id, occasion)
      throw new UnknownReference('offering', 'ofr_gone')
    },
  }),
  factType({
    type: 'probe.illegal',
    summary: 'Is always rejected.',
    data: Nothing,
    example: {},
    apply: () => Promise.reject(illegalTransition(light, { from: 'none', move: 'go' }, 'It rains.')),
  }),
  factType({
    type: 'probe.invalid',
    summary: 'Is rejected by its use case.',
    data: Nothing,
    example: {},
    apply: () => Promise.reject(validationError([{ field: 'currency', code: 'mismatch', message: 'must be usd' }])),
  }),
  factType({
    type: 'probe.buggy',
    summary: 'Throws an unexpected error.',
    data: Nothing,
    example: {},
    apply: () => Promise.reject(new TypeError('ours')),
  }),
  factType({
    type: 'probe.crossed',
    summary: 'Locks two users, in the order given.',
    data: Two,
    example: { first: newId('user'), second: newId('user') },
    apply: async (tx, { first, second }) => {
      await tx.one(LOCK_USER, [first])
      await new Promise((resolve) => setTimeout(resolve, 50))
      await tx.one(LOCK_USER, [second])
    },
  }),
]
