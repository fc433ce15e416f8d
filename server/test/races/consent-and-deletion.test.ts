import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorizeUrl, offeredOn, redeem } from '../contract/flow.ts'
import { type App, CALLBACK, openStage, type Stage } from '../contract/stage.ts'

const ROUNDS = 5

let stage: Stage
let app: App
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: ['read:profile'], approved: true })
})
afterAll(() => stage?.close())

test('a consent at the same time as the deletion of the account leaves no connection and no token', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const person = await stage.person()
    const url = authorizeUrl(app.key, { scope: 'read:profile' })
    const scope = offeredOn(await person.browser.open(url))
    await person.browser.open('/settings/data/delete')
    const [agreed, deleted] = await Promise.all([
      person.browser.submit(url, { decision: 'connect', scope }),
      person.browser.submit('/settings/data/delete', { email: person.email }),
    ])
    expect(deleted.status).toBe(200)
    // Either the consent was given just before the deletion, which revoked it. Or the consent was too late, and the
    // person was signed out or no longer had a user.
    expect([303, 403]).toContain(agreed.status)
    const live = await stage.service.db.sql(
      `select id from test.installations where user_id = $1 and state <> 'revoked'`,
      [person.user],
    )
    expect(live).toEqual([])
    if (agreed.location?.startsWith(CALLBACK) !== true) continue
    const code = new URL(agreed.location).searchParams.get('code') ?? undefined
    expect((await redeem(stage, app.key, code)).status).toBe(400)
  }
})
