export { authenticateServerKey } from './client/server-key.ts'
export { consentRoutes } from './consent/routes.ts'
export { type OAuthDeps, oauthRoutes } from './routes.ts'
export { type ScopeChangeDeps, scopeChangeRoutes } from './scope-changes/routes.ts'
