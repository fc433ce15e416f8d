export { type DemoDoor, demoSignIn, type FrontDoorDeps, frontDoorRoutes } from './front-door-routes.ts'
export { type PortalBuild, portalBuild, portalRoutes } from './portal-routes.ts'
export { type Mailbox, readsSentMail, sentMailRoutes } from './sent-mail-routes.ts'
export { type StatusFacts, statusRoutes } from './status-routes.ts'
