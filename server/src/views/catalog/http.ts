export { conditional, conditionalUndated, digest, taggedBody } from './conditional.ts'
export { offeringSummaries } from './offering-terms.ts'
export { COMPANY_STEPS, OFFERING_STEPS } from './older-versions.ts'
export { type CatalogDeps, catalogRoutes } from './routes.ts'
export {
  Count,
  ExemptionSchema,
  FETCHED_AT,
  NOT_MODIFIED,
  nullable,
  SecuritySchema,
  Text,
  Time,
  Url,
} from './schemas.ts'
