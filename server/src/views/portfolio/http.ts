export { PORTFOLIO_STEPS, type PortfolioRouteDeps, portfolioRoutes } from './routes.ts'
export { syndicatePortfolioRoutes } from './syndicate-routes.ts'
