import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockAppForChange, writeScopes } from '#access/apps/index.ts'
import { deactivateUser } from '#access/people/index.ts'
import { mayCarry } from '#access/scopes/index.ts'
import { accepted } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { testChangeContext } from '#test/installations.ts'
import { refusalOf } from '#test/refusal.ts'
import { type Installing, installApp } from './install-app.ts'
import { narrowInstallations } from './revocations.ts'
import type { InstallTarget } from './target-store.ts'
import {
  type ApiResponse,
  type ApiStage,
  openApiStage,
  type Partner,
  type Person,
  type Send,
} from './testing/api-stage.ts'

let stage: ApiStage
let founder: Person
beforeAll(async () => {
  stage = await openApiStage()
  founder = await stage.person()
})
afterAll(() => stage.close())

const install = (by: Send, target_id: string) =>
  by('POST', '/installations', { target_type: target_id.startsWith('syn_') ? 'syndicate' : 'company', target_id })
const statuses = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status).toSorted()

const use = ({ keyId, app }: Partner, target: InstallTarget, more: Partial<Installing> = {}) =>
  stage.arrange((tx) =>
    installApp(
      tx,
      { keyId, appId: app, userId: founder.user, target, scopes: null, tier: null, ...more },
      testChangeContext(),
    ),
  )

describe('concurrent installs', () => {
  test('one of four succeeds; the other three get 409 with the new installation’s id, even for an app’s first installation', async () => {
    for (let round = 0; round < 5; round++) {
      const partner = await stage.partner()
      const editor = await stage.person()
      const [one, two] = [await stage.as(partner, founder), await stage.as(partner, editor)]
      const target = round % 2 === 0 ? await stage.company({ founder, editor }) : await stage.syndicate(founder)
      const responses = await Promise.all([one, two, one, two].map((by) => install(round % 2 === 0 ? by : one, target)))
      expect(statuses(responses)).toEqual([201, 409, 409, 409])
      const winner = responses.find(({ status }) => status === 201)?.data.id
      for (const { error } of responses.filter(({ status }) => status === 409)) {
        expect(error).toMatchObject({ type: 'already_installed', details: { installation: winner } })
      }
    }
  })

  test('the second install waits for the first, and succeeds if the first rolls back', async () => {
    const partner = await stage.partner()
    const editor = await stage.person()
    const company = await stage.company({ founder, editor })
    const by = await stage.as(partner, editor)
    // After an app's first installation, installs do not wait for the lock of the app's row. So the second install waits
    // at the unique index.
    await install(await stage.as(partner, founder), await stage.company({ founder }))
    let second: Promise<ApiResponse> | undefined
    const first = stage.arrange(async (tx) => {
      const wanted = { keyId: partner.keyId, appId: partner.app, userId: founder.user, scopes: null, tier: null }
      await installApp(tx, { ...wanted, target: { type: 'company', id: company } }, testChangeContext())
      second = install(by, company)
      await stage.db.untilTransactionWaits()
      throw new Error('undone')
    })
    await expect(first).rejects.toThrow('undone')
    expect((await second)?.status).toBe(201)
  })
})

describe('installing while the app changes', () => {
  const take = async (tx: PlatformTx, { app }: Partner, left: readonly string[], removed: readonly string[]) => {
    await lockAppForChange(tx, app)
    await writeScopes(tx, app, left)
    const bounds = { app, allowed: [...mayCarry(left)], removed }
    return narrowInstallations(tx, { ...bounds, world: 'test', role: 'partner' }, testChangeContext())
  }

  test('an install waits for a removal of a scope and does not grant that scope', async () => {
    const partner = await stage.partner({ scopes: ['write:installations', 'read:companies', 'read:syndicates'] })
    const by = await stage.as(partner, founder)
    const company = await stage.company({ founder })
    let response: Promise<ApiResponse> | undefined
    await stage.db.databases.platform.transaction(async (tx) => {
      await take(tx, partner, ['write:installations', 'read:companies'], ['read:syndicates'])
      response = install(by, company)
      await stage.db.untilTransactionWaits()
    })
    const made = await response
    expect([made?.status, made?.data.scopes]).toEqual([201, ['read:companies', 'write:installations']])
    expect(made?.token.scope).toBe('read:companies write:installations')
  })

  test('a removal of a scope waits for a running install, and then narrows the installation', async () => {
    const partner = await stage.partner({ scopes: ['write:installations', 'read:companies', 'read:syndicates'] })
    const company = await stage.company({ founder })
    let removing: ReturnType<typeof narrowInstallations> | undefined
    const { installation } = await stage.arrange(async (tx) => {
      const wanted = { keyId: partner.keyId, appId: partner.app, userId: founder.user, scopes: null, tier: null }
      const made = await installApp(tx, { ...wanted, target: { type: 'company', id: company } }, testChangeContext())
      removing = stage.db.databases.platform.transaction((ptx) =>
        take(ptx, partner, ['write:installations', 'read:companies'], ['read:syndicates']),
      )
      await stage.db.untilTransactionWaits()
      return made
    })
    expect(installation.scopes).toContain('read:syndicates')
    expect(await removing).toMatchObject({ narrowed: 1 })
    const { data } = await stage.operator()('GET', `/platform/installations/${installation.id}`)
    expect(data.scopes).toEqual(['read:companies', 'write:installations'])
  })

  test('a suspended or disabled app cannot be installed', async () => {
    const target = { type: 'company' as const, id: await stage.company({ founder }) }
    expect(await refusalOf(use(await stage.partner({ state: 'suspended' }), target))).toBe('app_suspended')
    expect(await refusalOf(use(await stage.partner({ state: 'disabled' }), target))).toBe('forbidden')
    const unknown = { ...(await stage.partner()), keyId: `pk_test_${'z'.repeat(24)}` as Partner['keyId'] }
    expect(await refusalOf(use(unknown, target))).toBe('forbidden')
  })

  test('a deactivated user cannot install', async () => {
    const target = { type: 'company' as const, id: await stage.company({ founder }) }
    const gone = await stage.person()
    await stage.arrange((tx) => deactivateUser(tx, gone.user, occasionAt()))
    expect(await refusalOf(use(await stage.partner(), target, { userId: gone.user }))).toBe('invalid_token')
    expect(await refusalOf(use(await stage.partner(), target, { userId: newId('user') }))).toMatch(/^unknown user/)
  })
})

describe('revoking while a token is minted', () => {
  test('a revocation waits for the token and revokes it too; a later request for a token gets 409', async () => {
    const partner = await stage.partner()
    const by = await stage.as(partner, founder)
    for (let round = 0; round < 5; round++) {
      const { data } = await install(by, await stage.company({ founder }))
      const path = `/installations/${data.id}`
      const responses = await Promise.all([
        ...Array.from({ length: 4 }, () => by('POST', `${path}/tokens`)),
        by('DELETE', path),
        by('DELETE', path),
      ])
      expect(responses.slice(4).map(({ status }) => status)).toEqual([200, 200])
      const minted = responses.slice(0, 4)
      expect(minted.every(({ status }) => status === 201 || status === 409)).toBe(true)
      const tokens = minted.filter(({ status }) => status === 201).map(({ token }) => token.access_token)
      expect(await accepted(stage.db, tokens)).toBe(0)
      const events = await stage.db.sql(
        `select id from test.events where installation_id = $1 and name = 'installation.revoked'`,
        [data.id],
      )
      expect(events).toHaveLength(1)
    }
  })
})
