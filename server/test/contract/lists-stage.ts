import { aClient, aConnection, aUserToken } from '#access/tokens/testing/stage.ts'
import type { Id } from '#kernel/ids.ts'
import { followCompany, setRole } from '#market/companies/index.ts'
import { executeInvestment } from '#market/investments/index.ts'
import { addDeal, setManager } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { serviceInProcess } from '#test/service-in-process.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { recordAction } from '#views/activity/index.ts'
import { joinTeam } from './matrix/credentials.ts'
import { type Answer, type Send, sender } from './sender.ts'

export type ListName =
  | ('connected apps' | 'own companies' | 'follows' | 'campaigns' | 'explore' | 'search' | 'eligible targets')
  | ('activity' | 'syndicates' | 'syndicate members' | 'syndicate deals' | 'join themes' | 'fundraises')
  | ('company investors' | 'investment sessions' | 'invite links' | 'webhook endpoints' | 'positions')
  | 'many invite links'

export type ListStage = {
  readonly asUser: Send
  readonly asCompany: Send
  readonly asSyndicate: Send
  /** Sends a request as the host platform, in the test world. */
  readonly asOperator: Send
  readonly user: Id<'user'>
  readonly app: Id<'app'>
  readonly made: Awaited<ReturnType<typeof fill>>
  get(list: ListName, query?: Readonly<Record<string, string>>): Promise<Answer>
  close(): Promise<void>
}

const SCOPES = [
  ...['read:explore', 'read:profile', 'write:follows', 'read:investments', 'read:companies', 'write:webhooks'],
  ...['write:installations', 'write:profile', 'write:syndicates', 'write:syndicate_members', 'write:invite_links'],
  'write:investment_sessions',
]
const THREE = [1, 2, 3]

/**
 * Starts the composed service with an app that a person has connected and installed, and with three rows for each list.
 */
export async function openListStage(): Promise<ListStage> {
  const service = await serviceInProcess()
  const { db, url } = service
  const bearing = (token: string) => sender(url, { authorization: `Bearer ${token}` })
  const client = await aClient(db, { scopes: SCOPES, approved: true })
  const connected = await aConnection(db, client, { scopes: SCOPES })
  const { user } = connected
  await joinTeam(db, client, user)
  for (const name of ['Radar', 'Deal Desk']) await aConnection(db, await aClient(db, { name }), { user })
  const made = await db.databases.test.transaction((tx) => fill(tx, { user, app: client.app }))
  const asUser = bearing((await aUserToken(db, client, { on: connected, scopes: SCOPES })).accessToken)
  const installApp = async (target_type: 'company' | 'syndicate') => {
    const answer = done(await asUser('POST', '/installations', { target_type, target_id: made[target_type] }))
    return bearing(answer.token.access_token)
  }
  const asCompany = await installApp('company')
  const asSyndicate = await installApp('syndicate')
  const [links, manyLinks] = [made.offering, made.otherOffering].map((id) => `/partner/spvs/${id}/invite_links`)
  const themes = `/syndicates/${made.syndicate}/join_themes`
  for (const n of THREE) {
    done(await asCompany('POST', `${links}`, { invite_link: { max_uses: n } }))
    const session = { spv_id: made.offering, email: `guest-${n}@example.org` }
    done(await asCompany('POST', '/partner/investment_sessions', { investment_session: session }))
    done(
      await asUser('POST', '/webhook_endpoints', {
        url: `https://hooks.example.org/${n}`,
        events: ['offering.opened'],
      }),
    )
    done(await asSyndicate('POST', themes, { name: `Theme ${n}` }))
  }
  const guests = Array.from({ length: 100 }, (_, n) => ({ email: `many-${n}@example.org`, send_email: false }))
  done(await asCompany('POST', `${manyLinks}/bulk`, { invite_links: guests }))
  done(await asCompany('POST', `${manyLinks}`))

  const lists: Readonly<Record<ListName, readonly [Send, string]>> = {
    'connected apps': [asUser, '/connected-apps'],
    'own companies': [asUser, '/users/me/companies'],
    follows: [asUser, '/users/me/follows'],
    campaigns: [asUser, '/campaigns'],
    explore: [asUser, '/explore'],
    search: [asUser, '/companies/search?q=Engines'],
    'eligible targets': [asUser, '/installations/eligible'],
    activity: [asUser, '/activity'],
    syndicates: [asUser, '/syndicates'],
    'syndicate members': [asSyndicate, `/syndicates/${made.syndicate}/members`],
    'syndicate deals': [asSyndicate, `/syndicates/${made.syndicate}/deals`],
    'join themes': [asSyndicate, themes],
    fundraises: [asCompany, `/companies/${made.company}/fundraises`],
    'company investors': [asCompany, `/companies/${made.company}/investors`],
    'investment sessions': [asCompany, '/partner/investment_sessions'],
    'invite links': [asCompany, `${links}`],
    'webhook endpoints': [asUser, '/webhook_endpoints'],
    positions: [asUser, '/portfolio/positions'],
    'many invite links': [asCompany, `${manyLinks}`],
  }
  return {
    ...{ asUser, asCompany, asSyndicate, asOperator: bearing(service.operatorKeys.test), user, app: client.app, made },
    get: (name, query = {}) => {
      const [send, path] = lists[name]
      return send('GET', `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`)
    },
    close: service.close,
  }
}

type Ours = { readonly user: Id<'user'>; readonly app: Id<'app'> }

/**
 * The person runs three companies and three syndicates. The person follows three other companies and has invested in
 * each of them. The app has acted three times.
 */
async function fill(tx: Tx, { user, app }: Ours) {
  const company = await makeCompany(tx)
  const syndicate = await makeSyndicate(tx)
  const runs = async (ran: { readonly company: Id<'company'>; readonly syndicate: Id<'syndicate'> }) => {
    await setRole(tx, { company: ran.company, user, role: 'founder' }, occasionAt())
    await setManager(tx, { syndicateId: ran.syndicate, userId: user, permission: 'full_access' }, occasionAt())
  }
  await runs({ company, syndicate })
  const offerings: Id<'offering'>[] = []
  let member = ''
  for (const n of THREE) {
    if (n > 1) await runs({ company: await makeCompany(tx), syndicate: await makeSyndicate(tx) })
    const offering = await makeOffering(tx, { company })
    offerings.push(offering)
    await makeInvestment(tx, { offering })
    await addDeal(tx, { syndicateId: syndicate, offeringId: offering }, occasionAt())
    member = await makeMembership(tx, { syndicate, status: 'member' })
    const other = await makeCompany(tx)
    const listed = await makeOffering(tx, { company: other, listed: true })
    await followCompany(tx, { user, company: other }, occasionAt(`2026-03-0${n}T00:00:00.000000Z`))
    await executeInvestment(tx, { id: await makeInvestment(tx, { offering: listed, investor: user }) }, occasionAt())
    const did = { owner: { userId: user }, appId: app, outcome: { status: 'success' }, requestId: null } as const
    await recordAction(tx, { ...did, action: 'profile.update', resourceId: user })
  }
  const [offering = '', otherOffering = ''] = offerings
  return { company, syndicate, offering, otherOffering, member }
}

function done(answer: Answer): Answer {
  if (answer.status < 300) return answer
  throw new Error(`${answer.status} ${answer.error.type}: ${answer.error.message}`)
}
