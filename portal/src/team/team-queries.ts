import { queryOptions } from '@tanstack/react-query'
import { client, read, readAll, type Schemas } from '../api/client.ts'

export type Organization = Schemas['OwnOrganization']
export type Role = Organization['attributes']['role']

export const membersQuery = (organization_id: string) =>
  queryOptions({
    queryKey: ['organizations', organization_id, 'members'],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/organizations/{organization_id}/members', {
            signal,
            params: { path: { organization_id }, query: { per_page: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

export const invitationsQuery = (organization_id: string) =>
  queryOptions({
    queryKey: ['organizations', organization_id, 'invitations'],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/organizations/{organization_id}/invitations', {
            signal,
            params: { path: { organization_id }, query: { per_page: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

export const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', developer: 'Developer' }

/** The roles that a person with this role may give to other people and take from them. The lowest role is first. */
export function rolesManagedBy(role: Role): readonly Role[] {
  switch (role) {
    case 'owner':
      return ['developer', 'admin', 'owner']
    case 'admin':
      return ['developer', 'admin']
    case 'developer':
      return []
  }
}

const ROLE_HINTS: Readonly<Record<Role, string>> = {
  developer: 'can change apps, keys and scopes',
  admin: 'can also change the team, and disable or delete apps',
  owner: 'can change everything, also other owners',
}

export const roleOptions = (roles: readonly Role[]) =>
  roles.map((role) => ({ value: role, label: `${ROLE_NAMES[role]}: ${ROLE_HINTS[role]}` }))
