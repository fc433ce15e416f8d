import { afterAll, beforeAll, expect, test } from 'vitest'
import { consent } from '../flow.ts'
import { openStage, type Stage } from '../stage.ts'
import { reviewPath } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('intents of a deleted app expire, and their page still names the app to the person who could decide, but to no others', async () => {
  const app = await stage.app({ scopes: ['write:comments'] })
  const [person, stranger] = [await stage.person(), await stage.person()]
  const company = await stage.company()
  await stage.goPublic(company)
  const { access_token } = await consent(stage, app.key, person, { scope: 'write:comments' })
  const { data } = await stage.api(access_token)('POST', '/intents', {
    ...{ action_name: 'comments.create', resource_type: 'company', resource_id: company },
    params: { target_type: 'company', target: company, body: 'How hot does it get?' },
  })
  const path = reviewPath(data.id)
  expect((await person.browser.open(path)).text).toContain('value="approve"')
  const deleted = await app.team.owner.portal('DELETE', `/portal/api/apps/${app.id}`, { name: 'Fieldbook CRM' })
  expect(deleted.status).toBe(204)
  const page = await person.browser.open(path)
  expect(page.status).toBe(200)
  expect(page.text).toContain('It expired: the app was suspended, disabled or deleted.')
  expect(page.text).toContain('Fieldbook CRM')
  expect(page.text).not.toContain('value="approve"')
  const other = await stranger.browser.open(path)
  expect(other.status).toBe(403)
  expect(other.text).not.toContain('Fieldbook CRM')
})
