import type { World } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { readParameters } from '../request/read-parameters.ts'
import { inOrder } from '../steps.ts'
import { authenticateClient } from './authenticate-client.ts'
import { countAttempt, type Limited, noteProved } from './client-limit.ts'
import { readCredentials } from './read-credentials.ts'

/** A request that an app sends by itself, as it arrives. */
export type DirectRequest = Limited & {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly origin: () => string
  readonly body: string
  readonly contentType: string | undefined
  readonly authorization: string | undefined
  /** Names the request in the audit. */
  readonly requestId: string
}

/** What every endpoint that apps call directly begins with: what is asked, and who asks. */
export const CLIENT_STEPS = inOrder<DirectRequest>()
  .step(readParameters)
  .step(readCredentials)
  .step(countAttempt)
  .step(authenticateClient)
  .step(noteProved)
