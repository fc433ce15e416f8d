import type { OrganizationRole } from '#access/organizations/index.ts'
import type { Id } from '#kernel/ids.ts'
import { aMember, anAccount, anOrganization } from '#test/apps.ts'
import type { PartnerService, Sender } from './partner-service.ts'

type Seated = { readonly account: Id<'account'>; readonly send: Sender }

/** An organization with a person of every role, each with a browser. */
export type Team = Readonly<Record<OrganizationRole, Seated>> & { readonly organization: Id<'organization'> }

export async function aTeam(service: PartnerService): Promise<Team> {
  const organization = await anOrganization(service.db)
  const seat = async (role: OrganizationRole): Promise<Seated> => {
    const account = await aMember(service.db, { organization, role })
    return { account, send: await service.as(account) }
  }
  const [owner, admin, developer] = [await seat('owner'), await seat('admin'), await seat('developer')]
  return { organization, owner, admin, developer }
}

/** A person who signed in and is on no team. */
export async function aStranger(service: PartnerService): Promise<Sender> {
  return service.as(await anAccount(service.db))
}
