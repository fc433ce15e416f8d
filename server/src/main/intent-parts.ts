import type { OnRevoked } from '#access/installations/index.ts'
import { type Around, expireOnRevoked } from '#hosted/intents/index.ts'
import { isShownTo } from '#views/profile/index.ts'
import { cancelDeliveries } from '#webhooks/index.ts'

/** What else ends with an installation. */
export const ON_REVOKED: readonly OnRevoked[] = [cancelDeliveries, expireOnRevoked]

/** What carrying out an intent needs from modules to the right of it, in a request and in the workers alike. */
export const INTENT_AROUND: Around = { seesCompany: isShownTo, onRevoked: ON_REVOKED }
