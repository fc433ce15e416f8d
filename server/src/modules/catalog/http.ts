export { ExemptionSchema } from './company/company-schema.ts'
export { conditional, conditionalUndated, digest, toldOf } from './conditional.ts'
export { SecuritySchema } from './offering/offering-schema.ts'
export { offeringTeller } from './page/offering-told.ts'
export { type CatalogDeps, catalogRoutes } from './routes.ts'
export {
  Count,
  exactly,
  FETCHED_AT,
  idOf,
  NOT_MODIFIED,
  nullable,
  oneOf,
  Text,
  Time,
  Url,
} from './schemas.ts'
