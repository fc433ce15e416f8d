export { conditional, conditionalUndated, digest, taggedBody } from './conditional.ts'
export { offeringSummaries } from './offering-terms.ts'
export { type CatalogDeps, catalogRoutes } from './routes.ts'
export {
  Count,
  ExemptionSchema,
  exactly,
  FETCHED_AT,
  idOf,
  NOT_MODIFIED,
  nullable,
  oneOf,
  SecuritySchema,
  Text,
  Time,
  Url,
} from './schemas.ts'
