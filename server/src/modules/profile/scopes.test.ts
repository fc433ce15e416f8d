import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_CATALOGUE, SCOPE_NAMES } from '#modules/scopes/index.ts'
import { cursorSealer } from '#system/crypto/cursor-sealer.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { profileRoutes } from './index.ts'
import { openProfileStage, type ProfileStage, refusal } from './testing/stage.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage()
})
afterAll(() => stage.close())

/** What the specification's scope table and its list of operations say, scope by scope. */
const OPENED_BY: Readonly<Record<string, readonly string[] | 'any'>> = {
  getCurrentUser: 'any',
  updateCurrentUser: ['write:profile'],
  listMyCompanies: ['read:companies', 'write:companies', 'read:offerings', 'write:offerings', 'read:mcp'],
  listFollowedCompanies: [
    'read:profile',
    'write:profile',
    'write:follows',
    'read:profile:follows',
    'read:follows',
    'read:mcp',
  ],
  followCompany: ['write:follows'],
  unfollowCompany: ['write:follows'],
  listConnectedApps: ['read:profile', 'write:profile', 'read:mcp'],
}

const cursors = cursorSealer(sealedBox(keyring('0'.repeat(64))('cursors')))
const routes = profileRoutes({ cursors, origin: () => '' })
const HELD_BY_USERS = SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].holders.includes('user'))

describe('each scope alone against each route of the table', () => {
  test('no route escapes the table', () => {
    expect(routes.map(({ operation }) => operation).sort()).toEqual(Object.keys(OPENED_BY).sort())
  })

  test.each(HELD_BY_USERS)('%s', async (scope) => {
    const company = await stage.company()
    const send = await stage.as(await stage.user(), [scope])
    for (const { operation, method, path } of routes) {
      const opening = OPENED_BY[operation] ?? []
      const opens = opening === 'any' || opening.includes(scope)
      const answer = await send(method, path.replace(':company_id', company))
      expect([operation, answer.status]).toEqual([operation, opens ? 200 : 403])
      if (!opens) expect(refusal(answer)).toEqual([403, 'insufficient_scope'])
    }
  })
})
