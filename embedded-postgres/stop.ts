import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { isRunning, type ProcessIdentity } from './process-identity.ts'

export type StopPatience = { readonly fastStopMs: number; readonly immediateStopMs: number }

/**
 * PostgreSQL's ways to stop, from gentle to rough. Fast (SIGINT) ends sessions and writes everything out. Immediate
 * (SIGQUIT) and the kill leave the work to the recovery at the next start; no committed data is lost either way.
 */
export async function stopServer(
  server: ProcessIdentity,
  patience: StopPatience,
  log: (message: string) => void,
): Promise<void> {
  const { fastStopMs, immediateStopMs } = patience
  if (await stoppedBy('SIGINT', server, fastStopMs)) return
  log(`PostgreSQL (pid ${server.pid}) did not stop within ${fastStopMs} ms; stopping it at once.`)
  if (await stoppedBy('SIGQUIT', server, immediateStopMs)) return
  if (await stoppedBy('SIGKILL', server, immediateStopMs)) return
  throw new EmbeddedPostgresError(`PostgreSQL (pid ${server.pid}) could not be stopped. Stop it by hand and try again.`)
}

async function stoppedBy(signal: NodeJS.Signals, server: ProcessIdentity, patienceMs: number): Promise<boolean> {
  // Looks at the identity each time before it signals: by now the pid may belong to an unrelated process.
  if (!isRunning(server)) return true
  try {
    process.kill(server.pid, signal)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return true
    throw new EmbeddedPostgresError(
      `Not allowed to stop PostgreSQL (pid ${server.pid}). Stop it as the user who started it, then try again.`,
      { cause: error },
    )
  }
  const deadline = performance.now() + patienceMs
  for (let pauseMs = 5; isRunning(server); pauseMs = Math.min(pauseMs * 1.5, 100)) {
    if (performance.now() >= deadline) return false
    await sleep(pauseMs)
  }
  return true
}
