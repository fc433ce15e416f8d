import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { demoService } from '../demo-service.ts'
import { isNewest, StrictClient, VERSIONS } from './client.ts'
import { nullable, object, oneOf, optional, text, whole } from './decode.ts'
import { NEWEST } from './newest-answers.ts'
import { OLDER } from './older-answers.ts'
import { allRoutes, documentedOperations, isOtherApi, NOT_FOR_CLIENTS } from './operations.ts'
import { readCatalogue, syncInvestments, useAccount } from './play-catalogue.ts'
import { callRemoved, disconnect, install, inviteInvestors, publishWeek, useCodesAndTokens } from './play-partner.ts'
import { playSandbox } from './play-sandbox.ts'
import { manageSyndicate } from './play-syndicate.ts'
import { manageEndpoints } from './play-webhooks.ts'
import { type Demo, type Stage, stageOf } from './stage.ts'

/**
 * Client libraries for the live platform's API, in TypeScript, Python and Ruby, work against this service unchanged
 * when they send their own version. In this test a stricter client calls every operation of the partner API, over HTTP,
 * against the demo world, at every version.
 */
let demo: Demo
let clockMovedAt: number
demoService<Demo>(async (made) => {
  demo = made
  // The clock moves far ahead, so that a time from the wrong clock is noticed.
  const answer = await fetch(`${demo.base_url}/sandbox/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_keys.test}`, 'content-type': 'application/json' },
    body: JSON.stringify({ advance: 'P400D' }),
  })
  expect(answer.status).toBe(200)
  clockMovedAt = Date.now()
})

/** The parts of a client's program, in order. */
const PROGRAM: readonly (readonly [part: string, play: (stage: Stage) => Promise<void>])[] = [
  ['the deal catalogue and company content', readCatalogue],
  ['a person’s account', useAccount],
  ['installations, invite links and hosted sessions', useInstallation],
  ['referral codes and tokens', useCodesAndTokens],
  ['webhook endpoints, and the sandbox that causes their events', useWebhooks],
  ['investments, listed and synced', syncInvestments],
  ['syndicates, intents and join sessions', manageSyndicate],
  ['removed endpoints', callRemoved],
  ['connected apps', disconnect],
  ['statistics of a week that is over', publishWeek],
]

async function useInstallation(stage: Stage): Promise<void> {
  const installed = await installOnCompany(stage)
  await inviteInvestors(stage, installed.token)
  await installed.revoke()
}

async function useWebhooks(stage: Stage): Promise<void> {
  const receiver = await webhookReceiver()
  onTestFinished(() => receiver.close())
  const installed = await installOnCompany(stage)
  await manageEndpoints(stage, receiver.url, () => playSandbox(stage))
  await installed.revoke()
}

const installOnCompany = ({ client, tokens, ids }: Stage) =>
  install(client, tokens.founder, { target_type: 'company', target_id: ids.company })

describe.each(VERSIONS)('a strict client that sends %s', (version) => {
  const contract = isNewest(version) ? NEWEST : OLDER
  let stage: Stage
  beforeAll(async () => {
    const client = new StrictClient(demo.base_url, version, contract, clockMovedAt)
    stage = await stageOf(demo, client, `strict-${version}`)
  })

  test.each(PROGRAM)('decodes every response: %s', async (_part, play) => {
    await play(stage)
    expect(stage.client.faults.splice(0)).toEqual([])
  })

  test('has decoded a response of every operation, and a row of every list', () => {
    const { succeeded, emptyLists } = stage.client
    expect(Object.keys(contract).filter((operation) => !succeeded.has(operation))).toEqual([])
    expect([...emptyLists]).toEqual([])
  })

  test('knows every operation, except those that client libraries do not call', async () => {
    const routes = await allRoutes()
    const partner = routes.filter(({ path }) => !isOtherApi(path)).map(({ operation }) => operation)
    const known = [...Object.keys(contract), ...Object.keys(NOT_FOR_CLIENTS)]
    expect(known.toSorted()).toEqual(partner.toSorted())
    const documented = await documentedOperations()
    expect(documented.filter((operation) => !partner.includes(operation))).toEqual([])
  })
})

describe('the decoder', () => {
  const model = object({ status: oneOf('active'), count: whole, note: nullable(text), extra: optional(text) })
  const right = { status: 'active', count: 1, note: null }

  test('accepts a valid value without optional keys', () => {
    expect(model.faults(right, 'x')).toEqual([])
  })

  test.each([
    ['a value outside of an enum', { ...right, status: 'closing' }],
    ['null where the schema does not allow it', { ...right, count: null }],
    ['null for a key that may only be missing', { ...right, extra: null }],
    ['text where a number is declared', { ...right, count: '1' }],
    ['a missing required key', { status: 'active', note: null }],
    ['a key that the schema does not list', { ...right, unknown: true }],
  ])('rejects %s', (_what, value) => {
    expect(model.faults(value, 'x')).toHaveLength(1)
  })
})
