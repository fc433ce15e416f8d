import type { Route } from '#http/route.ts'
import { clockRoutes } from './clock-routes.ts'
import { investmentRoutes } from './investment-routes.ts'
import { investmentSessionRoutes } from './investment-session-routes.ts'
import { joinSessionRoutes } from './join-session-routes.ts'
import { membershipRoutes } from './membership-routes.ts'
import { offeringRoutes } from './offering-routes.ts'
import { referralRoutes } from './referral-routes.ts'
import type { SandboxSettings } from './settings.ts'
import { syndicateRoutes } from './syndicate-routes.ts'
import { userRoutes } from './user-routes.ts'

/** Whatever can happen on the platform, made to happen in the test world. */
export function sandboxRoutes(settings: SandboxSettings): Route[] {
  return [
    ...investmentRoutes(settings),
    ...userRoutes,
    ...referralRoutes(settings.referrals),
    ...offeringRoutes,
    ...syndicateRoutes,
    ...membershipRoutes,
    ...joinSessionRoutes,
    ...investmentSessionRoutes(settings),
    ...clockRoutes,
  ]
}
