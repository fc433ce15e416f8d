import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { type Send, sender } from '../sender.ts'
import { type IntentStage, openIntentStage, type Person, refusal } from './stage.ts'

let stage: IntentStage
let ada: Person
let syndicate: Id<'syndicate'>
beforeAll(async () => {
  stage = await openIntentStage({ environment: {} })
  ada = await stage.person()
  syndicate = await stage.syndicate({ full_access: ada })
})
afterAll(() => stage?.close())

const body = (deal: string, more: object = {}) => ({
  action_name: 'syndicates.close_deal',
  resource_type: 'syndicate',
  resource_id: syndicate,
  params: { fundraise_id: deal },
  ...more,
})

test('"10 new pending intents per hour per token" counts both ways of proposing together, but no replays, repeated closes or rejections', async () => {
  const api: Send = await stage.as(ada)
  const deal = await stage.deal(syndicate)
  const close = `/syndicates/${syndicate}/deals/${deal}/close`
  for (let n = 0; n < 5; n++)
    expect((await api('POST', '/intents', body(deal, { idempotency_key: `k${n}` }))).status).toBe(201)
  for (let n = 0; n < 5; n++) {
    const other = await stage.deal(syndicate)
    expect((await api('POST', `/syndicates/${syndicate}/deals/${other}/close`)).status).toBe(200)
    expect((await api('POST', '/intents', body(deal, { idempotency_key: 'k0' }))).status).toBe(200)
    expect((await api('POST', `/syndicates/${syndicate}/deals/${other}/close`)).status).toBe(200)
    expect(refusal(await api('POST', '/intents', body(deal, { params: {} })))).toEqual([422, 'validation_error'])
  }
  for (const refused of [await api('POST', '/intents', body(deal)), await api('POST', close)]) {
    expect(refusal(refused)).toEqual([429, 'rate_limit_exceeded'])
    expect(refused.error.message).toContain('10 per hour')
    expect(refused.error.details).toMatchObject({ limit: 10, period: 3_600 })
  }
  expect((await api('POST', '/intents', body(deal, { idempotency_key: 'k0' }))).status).toBe(200)
  expect((await api('POST', '/intents/preview', body(deal))).status).toBe(200)
  expect((await (await stage.as(ada))('POST', close)).status).toBe(200)
})

test('the limit counts the same token in any spelling of the header', async () => {
  const bearer = await stage.token(ada)
  const spellings = ['Bearer ', 'bearer ', 'BEARER ', 'Bearer  ', 'bEARER   ', 'beareR ']
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    const authorization = `${spellings[n % spellings.length]}${bearer}`
    const send = sender(stage.service.url, { authorization })
    statuses.push((await send('POST', '/intents', body(await stage.deal(syndicate)))).status)
  }
  expect(statuses).toEqual([...Array(10).fill(201), 429, 429])
})
