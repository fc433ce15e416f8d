export { authenticateServerKey, serverKeyHolder } from './client-authentication.ts'
export { consentRoutes } from './consent/routes.ts'
export { type OAuthDeps, oauthRoutes } from './routes.ts'
export { type ScopeChangeDeps, scopeChangeRoutes } from './scope-changes/routes.ts'
