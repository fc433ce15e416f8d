import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openLog } from '#system/log.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { statement } from '#system/postgres/statement.ts'
import { builtProgram } from '#test/built-server.ts'
import { PATIENT } from '#test/patient.ts'
import { processEnvironment } from '../../acceptance/process-environment.ts'
import { type Faults, withFaults } from '../fault-injection.ts'
import type { Random } from '../random.ts'
import { soakSender, startWorker } from './worker.ts'
import type { ProcessSettings } from './worker-process.ts'

/** A worker that is killed at any moment, without a chance to clean up. */
export type KillableWorker = {
  kill(): Promise<void>
  /** Cleans up after the run. */
  bury(): Promise<void>
}

export async function workerProcess(settings: ProcessSettings): Promise<KillableWorker> {
  const child = spawn(process.execPath, [await builtProgram('webhook-worker'), JSON.stringify(settings)], {
    env: processEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  }
  return { kill, bury: kill }
}

export type InProcess = {
  readonly url: string
  readonly sealingSecret: string
  readonly random: Random
  readonly faults: Faults
  /** Ends the connection of a database session. */
  readonly terminate: (pid: number) => Promise<void>
}

const BACKEND = statement<{ pid: number }>('probe.soak_backend', 'select pg_backend_pid() as pid')
/** One in this many statements loses its connection. */
const CUT_ONE_IN = 150

/**
 * Starts a worker in this process. A kill cuts it off: its statements are no longer sent or answered, and its requests
 * end. Its remaining code has no outside effect.
 */
export async function workerInProcess(parts: InProcess): Promise<KillableWorker> {
  const { url, sealingSecret, random, faults, terminate } = parts
  const databases = await openDatabases({ url, poolSize: 4, times: PATIENT, onError: () => {}, forQueues: true })
  const death = new AbortController()
  const throwIfDead = () => {
    if (death.signal.aborted && !buried) throw new DatabaseUnavailable('this worker is dead', null)
  }
  let buried = false
  const before = async (name: string, queries: WorldQueries) => {
    throwIfDead()
    if (random.oneIn(CUT_ONE_IN)) await terminate((await queries.one(BACKEND)).pid)
    await faults.before?.(name, queries)
  }
  const sender = mortalSender(soakSender(), death.signal)
  const worker = startWorker({
    ...{ sealingSecret, random, sender, platform: databases.platform, log: openLog('silent') },
    db: withFaults(databases.test, { ...faults, before, after: throwIfDead, beforeCommit: async () => throwIfDead() }),
  })
  return {
    kill: async () => death.abort(new Error('this worker is dead')),
    bury: async () => {
      // `stop()` comes first, so the worker takes no more deliveries. Then `buried` lets its statements through to the
      // database again, so that the worker can record the outcomes that it already knows.
      const stopped = worker.stop()
      buried = true
      await stopped
      await sender.close()
      await databases.close()
    },
  }
}

function mortalSender(sender: OutboundSender, death: AbortSignal): OutboundSender {
  return {
    send: async (request) => {
      const signal = request.signal === undefined ? death : AbortSignal.any([request.signal, death])
      const outcome = await sender.send({ ...request, signal })
      death.throwIfAborted()
      return outcome
    },
    close: () => sender.close(),
  }
}
