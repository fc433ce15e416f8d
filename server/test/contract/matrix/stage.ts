import { aClient, aConnection, aUserToken } from '#access/tokens/testing/stage.ts'
import type { Id } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { sender } from '../sender.ts'
import {
  appCredentials,
  type Credential,
  deadCredentials,
  joinTeam,
  liveCredentials,
  operatorCredentials,
} from './credentials.ts'
import type { Place } from './line.ts'
import { EVERY_SCOPE } from './scope-catalogue.ts'

/**
 * One app and a person on its team. The person runs a company and a syndicate, and has installed the app on both and on
 * their own account. The stage has all credentials that the app and the person could send.
 */
export type MatrixStage = {
  readonly service: ServiceInProcess
  readonly credentials: readonly Credential[]
  readonly places: Readonly<Record<Place, string>>
}

const INSTALLER = ['write:installations', 'write:webhooks']

export async function openMatrixStage(): Promise<MatrixStage> {
  const service = await serviceInProcess()
  const { db, url } = service
  const client = await aClient(db, { scopes: EVERY_SCOPE, approved: true, piiApproved: true })
  const connected = await aConnection(db, client, { scopes: INSTALLER })
  const { user, installation: connection } = connected
  await joinTeam(db, client, user)
  const targets = await db.databases.test.transaction(async (tx) => {
    const company = await makeCompany(tx)
    const offering = await makeOffering(tx, { company, listed: true })
    const syndicate = await makeSyndicate(tx)
    await setRole(tx, { company, user, role: 'founder' }, occasionAt())
    await setManager(tx, { syndicateId: syndicate, userId: user, permission: 'full_access' }, occasionAt())
    const person = await makeUser(tx, { email: 'member@example.org' })
    const member = await makeMembership(tx, { syndicate, user: person, status: 'member' })
    return { company, offering, syndicate, member }
  })
  const { accessToken } = await aUserToken(db, client, { on: connected, scopes: INSTALLER })
  const api = sender(url, { authorization: `Bearer ${accessToken}` })
  const install = async (target_type: 'company' | 'syndicate') => {
    const { data } = await api('POST', '/installations', { target_type, target_id: targets[target_type] })
    return data.id as Id<'installation'>
  }
  const { data: endpoint } = await api('POST', '/webhook_endpoints', {
    url: 'https://hooks.example.org/',
    events: ['offering.opened'],
  })
  const bound = { client, user, company: await install('company'), syndicate: await install('syndicate'), connection }
  return {
    service,
    credentials: [
      ...(await deadCredentials(db, bound)),
      ...(await appCredentials(db, bound)),
      ...(await liveCredentials(db)),
      ...operatorCredentials(service),
    ],
    places: { ...targets, companyInstallation: bound.company, endpoint: endpoint.id },
  }
}
