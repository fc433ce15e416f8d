/** What the portal's requests and answers are made of: the apps' routes speak the same way. */

export { organizationRoutes, type PortalDeps } from './portal-routes.ts'
export {
  Exactly,
  IdOf,
  Line,
  One,
  OneOf,
  OrganizationParam,
  OrganizationRecord,
  OrNull,
  organizationRecord,
  Resource,
  Time,
} from './schemas.ts'
