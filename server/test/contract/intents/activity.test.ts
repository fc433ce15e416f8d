import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import type { Send } from '../sender.ts'
import { type IntentStage, openIntentStage, type Person } from './stage.ts'

let stage: IntentStage
let ada: Person
let syndicate: Id<'syndicate'>
let api: Send
beforeAll(async () => {
  stage = await openIntentStage()
})
afterAll(() => stage?.close())

/** Creates a person whose activity is empty, and a syndicate that this person manages. */
async function useNewPerson(): Promise<void> {
  ada = await stage.person()
  syndicate = await stage.syndicate({ full_access: ada })
  api = await stage.as(ada, ['write:syndicates', 'read:profile'])
}

const recorded = async () =>
  (await api('GET', '/activity')).list.map(({ attributes: a }) => [
    a['action'],
    a['status'],
    a['resource_id'],
    a['intent'],
  ])

const closing = (deal: string, more: object = {}) => ({
  action_name: 'syndicates.close_deal',
  resource_type: 'syndicate',
  resource_id: syndicate,
  params: { fundraise_id: deal },
  ...more,
})

test('POST /intents is recorded once with the intent, and repeats under its key, replays and previews are not recorded', async () => {
  await useNewPerson()
  const body = closing(await stage.deal(syndicate), { idempotency_key: 'k' })
  const first = await api('POST', '/intents', body, { 'idempotency-key': 'r' })
  expect((await api('POST', '/intents', body, { 'idempotency-key': 'r' })).status).toBe(200)
  expect((await api('POST', '/intents', body)).status).toBe(200)
  const { idempotency_key, ...content } = body as Record<string, unknown>
  expect((await api('POST', '/intents/preview', content)).status).toBe(200)
  expect(await recorded()).toEqual([['intents.create', 'success', syndicate, first.data.id]])
})

test.each([
  ['close', 'open', 'close_deal_intent'],
  ['finalize', 'closing', 'finalize_deal_intent'],
] as const)(
  'POST …/deals/{id}/%s is recorded once with the intent, even if it is requested again',
  async (verb, status, name) => {
    await useNewPerson()
    const path = `/syndicates/${syndicate}/deals/${await stage.deal(syndicate, { status })}/${verb}`
    const { meta } = await api('POST', path)
    await api('POST', path)
    expect(await recorded()).toEqual([['intents.create', 'success', syndicate, (meta[name] as { id: string }).id]])
  },
)

test('the entry of a rejected request names its resource', async () => {
  await useNewPerson()
  const elsewhere = await stage.deal(await stage.syndicate())
  expect((await api('POST', '/intents', closing(elsewhere))).status).toBe(422)
  await expect.poll(recorded).toEqual([['intents.create', 'failure', syndicate, null]])
  const [entry] = (await api('GET', '/activity')).list
  expect(entry?.attributes['resource_type']).toBe('syndicate')
})
