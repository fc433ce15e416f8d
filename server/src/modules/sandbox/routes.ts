import type { Route } from '#http/route.ts'
import { clockRoutes } from './clock-routes.ts'
import { investmentRoutes } from './investment-routes.ts'
import { investmentSessionRoutes } from './investment-session-routes.ts'
import { joinSessionRoutes } from './join-session-routes.ts'
import { membershipRoutes } from './membership-routes.ts'
import { offeringRoutes } from './offering-routes.ts'
import { syndicateRoutes } from './syndicate-routes.ts'
import { userRoutes } from './user-routes.ts'

export type SandboxSettings = { readonly reinstatementGraceDays: number }

/** Whatever can happen on the platform, made to happen in the test world. */
export function sandboxRoutes(settings: SandboxSettings): Route[] {
  return [
    ...investmentRoutes(settings),
    ...userRoutes,
    ...offeringRoutes,
    ...syndicateRoutes,
    ...membershipRoutes,
    ...joinSessionRoutes,
    ...investmentSessionRoutes,
    ...clockRoutes,
  ]
}
