export type { InvitePageDeps } from './page/entry-guard.ts'
export { invitePageRoutes } from './page/routes.ts'
export { type InviteLinkDeps, inviteLinkRoutes } from './routes.ts'
export { INVITE_LINK_STEPS } from './schemas.ts'
