import { setTimeout as wait } from 'node:timers/promises'
import { openLog } from '#system/log.ts'
import type { Databases } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { seeded } from '../random.ts'
import { soakSender, startWorker } from './worker.ts'

/** Runs a worker in its own process until it is killed: `node worker-process.ts '{"url": …}'`. */
export type ProcessSettings = { readonly url: string; readonly sealingSecret: string; readonly seed: number }

const { url, sealingSecret, seed } = JSON.parse(process.argv[2] ?? '') as ProcessSettings

const AFTER_FAILURE_MS = 200

/**
 * Retries a start that fails because PostgreSQL restarts. In production the supervisor would start the worker again.
 */
async function whenAvailable(): Promise<Databases> {
  try {
    return await openDatabases({ url, poolSize: 4, onError: () => {}, forQueues: true })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    await wait(AFTER_FAILURE_MS)
    return whenAvailable()
  }
}

const { test: db, platform } = await whenAvailable()
startWorker({ db, platform, sender: soakSender(), sealingSecret, random: seeded(seed), log: openLog('silent') })
