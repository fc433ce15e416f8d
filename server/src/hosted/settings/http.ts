import type { Route } from '#http/route.ts'
import { type OwnAppsDeps, ownAppRoutes } from './app-routes.ts'
import { type DataDeps, dataRoutes } from './data-routes.ts'
import { organizationPageRoutes } from './organization-routes.ts'
import { organizationsRoutes } from './organizations.ts'
import { profileRoutes } from './profile.ts'

export { invitationPageRoutes } from './invitation-routes.ts'

export type SettingsDeps = OwnAppsDeps & DataDeps

/** The pages under /settings that no other module serves. */
export const settingsRoutes = (deps: SettingsDeps): Route[] => [
  ...profileRoutes(deps),
  ...organizationsRoutes(deps),
  ...organizationPageRoutes(deps),
  ...ownAppRoutes(deps),
  ...dataRoutes(deps),
]
