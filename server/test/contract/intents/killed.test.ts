import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carryOutApproved } from '#hosted/intents/index.ts'
import { testBrowser } from '#http/testing/browser.ts'
import type { Id } from '#kernel/ids.ts'
import { INTENT_AROUND } from '#main/module-settings.ts'
import { statement } from '#system/postgres/statement.ts'
import { startService } from '../../acceptance/service.ts'
import { type IntentStage, openIntentStage, reviewPath, shownOn } from './stage.ts'

let stage: IntentStage
beforeAll(async () => {
  stage = await openIntentStage()
})
afterAll(() => stage?.close())

const HOLD = statement<{ id: string }>('t.hold_offering_of_killed', 'select id from offerings where id = $1 for update')

test('if a process is killed between approval and execution, another process executes the intent once', async () => {
  const manager = await stage.person()
  const syndicate = await stage.syndicate({ full_access: manager })
  const deal = await stage.deal(syndicate)
  const app = await stage.installed({ syndicate })
  const { meta } = await app('POST', `/syndicates/${syndicate}/deals/${deal}/close`)
  const { id } = meta['close_deal_intent'] as { id: Id<'intent'> }
  const signedIn = await stage.browser(manager)
  const { db } = stage.service
  const service = await startService(
    { PORT: '0', DATABASE_URL: db.url, PORTICO_SECRET: randomBytes(32).toString('hex'), LOG_LEVEL: 'error' },
    ['--role', 'api'],
  )
  const browser = testBrowser(service.address)
  browser.cookies.set('portico', signedIn.cookies.get('portico') ?? '')
  const shown = shownOn((await browser.open(reviewPath(id))).text)
  const [held, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.databases.test.transaction(async (tx) => {
    await tx.maybeOne(HOLD, [deal])
    held.resolve()
    await mayEnd.promise
  })
  await held.promise
  const answering = browser.submit(reviewPath(id), { decision: 'approve', shown }).catch(() => null)
  await expect.poll(() => stage.stateOf(id)).toBe('approved')
  await db.untilTransactionWaits()
  expect(await service.end('SIGKILL')).toBe('SIGKILL')
  expect(await answering).toBeNull()
  mayEnd.resolve()
  await holding
  expect([await stage.stateOf(id), await stage.events('offering.closing', deal)]).toEqual(['approved', 0])
  await Promise.all([1, 2, 3].map(() => carryOutApproved(db.databases.test, 10, INTENT_AROUND)))
  expect([await stage.stateOf(id), await stage.events('offering.closing', deal)]).toEqual(['executed', 1])
})
