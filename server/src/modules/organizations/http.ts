/** What the portal's requests and answers are made of: the apps' routes speak the same way. */
export { Exactly, IdOf, Line, One, OneOf, OrNull, Resource, Time } from './fields.ts'
export { organizationRoutes, type PortalDeps } from './portal-routes.ts'
export { OrganizationParam, OrganizationRecord, organizationRecord } from './schemas.ts'
