export { type DemoDoor, type FrontDoorDeps, frontDoorRoutes } from './front-door-routes.ts'
export { type Mailbox, readsSentMail, sentMailRoutes } from './sent-mail-routes.ts'
export { type StatusFacts, statusRoutes } from './status-routes.ts'
