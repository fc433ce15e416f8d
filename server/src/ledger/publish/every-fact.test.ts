import { expect, test } from 'vitest'
import { FACT_GROUPS } from '#intake/facts/fact-types.ts'
import { feedDocument } from '#intake/facts/feed-document.ts'
import { serveFeed } from '#intake/facts/testing/feed.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { publishAll } from '#test/ledger.ts'
import { readFacts } from '../derive/facts-store.ts'
import { DERIVATION, isSameRecord, renderRecord } from '../derive/record.ts'

const feed = serveFeed(FACT_GROUPS.flatMap(({ facts }) => facts))

const BEGIN = '<!-- The catalogue below is generated from the code by `npm run generate`; do not edit. -->'
const END = '<!-- End of the catalogue. -->'

type Told = { readonly id: string; readonly type: string }

/**
 * The examples of the documentation: one for every type of fact, and the facts that they depend on, in an order in
 * which all of them are valid.
 */
function story(): Told[] {
  const document = feedDocument(`# Title\n\n${BEGIN}\n${END}\n`, FACT_GROUPS)
  return [...document.matchAll(/^```json\n(.*?)^```$/gms)]
    .flatMap(([, text = '']) => (text.startsWith('{"') ? text.trim().split('\n') : [text]))
    .map((text) => JSON.parse(text))
}

type Head = { readonly id: Id<'investment'>; readonly body: string; readonly identity: string }

/** Returns the investments whose published record differs from the record that their facts give now. */
async function outdated(): Promise<string[]> {
  const { db } = feed()
  const heads = await db.sql<Head>('select investment_id as id, body, identity from test.ledger_heads')
  const ids = await db.sql<{ id: Id<'investment'> }>('select id from test.investments')
  const facts = await readFacts(
    db.databases.test.reads,
    ids.map(({ id }) => id),
  )
  const fresh = facts.filter((each) => {
    const head = heads.find(({ id }) => id === each.id)
    return head !== undefined && isSameRecord(head, renderRecord(DERIVATION.derive(each), '' as WorldTime))
  })
  return ids.map(({ id }) => id).filter((id) => !fresh.some((each) => each.id === id))
}

test('after every fact the published records equal the records that the facts give', async () => {
  const facts = story()
  expect(new Set(facts.map(({ type }) => type)).size).toBe(FACT_GROUPS.flatMap(({ facts: each }) => each).length)
  for (const fact of facts) {
    const [outcome] = await feed().send([fact], 'test')
    expect(outcome).toMatchObject({ status: 'applied' })
    await publishAll(feed().db.databases.test)
    expect({ after: fact.type, outdated: await outdated() }).toEqual({ after: fact.type, outdated: [] })
  }
  expect(await feed().db.sql('select from test.ledger_heads')).not.toEqual([])
})
