export type { StepUp } from './decide.ts'
export { type ReviewDeps, reviewRoutes } from './review/routes.ts'
export { type IntentRouteDeps, intentRoutes } from './routes.ts'
export { INTENT_STEPS } from './schemas.ts'
