import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { ApiFailure, client, type Mode, read, type Schemas } from '../api/client.ts'
import { queryClient } from '../api/queries.ts'

export type Operator = Schemas['PlatformOperator']['data']
export type StaffRole = Operator['attributes']['role']

/** The person as a member of the platform's staff. The server checks every rule. The console only shows what the role may do. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: async ({ signal }) => (await read(client.GET('/platform/me', { signal }))).data,
  staleTime: 60_000,
})

/** The roles in ascending order. Each role may also do what the roles before it may do. */
export const ROLES: readonly StaffRole[] = ['viewer', 'support', 'compliance', 'admin']

export const mayAct = (role: StaffRole, least: StaffRole) => ROLES.indexOf(role) >= ROLES.indexOf(least)

/** The role of the person. The frame shows a page only after it has read the role. */
export const useRole = (): StaffRole => useSuspenseQuery(operatorQuery).data.attributes.role

export const MODES = ['live', 'test'] as const

/** The mode in the address. The default is live, as on the server. */
export const useConsoleMode = (): Mode =>
  useRouterState({
    select: ({ matches }) => {
      const { mode }: { mode?: string } = matches.at(-1)?.search ?? {}
      return mode === 'test' ? 'test' : 'live'
    },
  })

/** The header of a request under `/platform` that says in which mode it reads or changes records. */
export const inMode = (mode: Mode) => ({ 'X-Portico-Mode': mode })

/** Why the server does not accept the person as a member of the staff. Null if the error has another cause. */
export function staffStop(error: unknown): { readonly reason: string; readonly url: string | null } | null {
  if (!(error instanceof ApiFailure) || error.status !== 403) return null
  const { reason, confirm_url: url } = error.details
  if (typeof reason !== 'string' || !STOPS.includes(reason)) return null
  return { reason, url: typeof url === 'string' ? url : null }
}

const STOPS = ['no_staff_role', 'second_factor_required', 'staff_session_ended']

/**
 * Reads the operator again when the server no longer accepts the person as staff, for example because the staff session has
 * ended. The frame then shows what to do.
 */
export function noticeEndedStaffSession(): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const isOwn = event.query.queryKey[0] === operatorQuery.queryKey[0]
    if (!isOwn && staffStop(event.action.error) !== null) void queryClient.resetQueries(operatorQuery)
  })
}

/** The queries that are read again after an action on an app or an organization. */
export const PARTNER_CHANGES = [
  ['partner'],
  ['requests'],
  ['partners'],
  ['organizations'],
  ['app history'],
  ['organization history'],
]

export const consoleAppQuery = (app_id: string) =>
  queryOptions({
    queryKey: ['partner', 'app', app_id],
    queryFn: async ({ signal }) =>
      (await read(client.GET('/platform/apps/{app_id}', { signal, params: { path: { app_id } } }))).data,
  })

export const organizationQuery = (organization_id: string) =>
  queryOptions({
    queryKey: ['partner', 'organization', organization_id],
    queryFn: async ({ signal }) =>
      (
        await read(
          client.GET('/platform/organizations/{organization_id}', { signal, params: { path: { organization_id } } }),
        )
      ).data,
  })
