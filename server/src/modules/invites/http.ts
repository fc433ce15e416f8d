export { type InviteLinkDeps, inviteLinkRoutes } from './api/routes.ts'
export type { InvitePageDeps } from './page/arrive.ts'
export { invitePageRoutes } from './page/routes.ts'
