import type { OnRevoked } from '#modules/installations/index.ts'
import { type Around, expireOnRevoked } from '#modules/intents/index.ts'
import { isShownTo } from '#modules/profile/index.ts'
import { cancelDeliveries } from '#modules/webhooks/index.ts'

/** What else ends with an installation. */
export const ON_REVOKED: readonly OnRevoked[] = [cancelDeliveries, expireOnRevoked]

/** What carrying out an intent needs from modules to the right of it, in a request and in the workers alike. */
export const INTENT_AROUND: Around = { seesCompany: isShownTo, onRevoked: ON_REVOKED }
