import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { builtProgram } from '#test/built-server.ts'
import { processEnvironment } from '../../acceptance/process-environment.ts'
import type { Server, ServerParts } from './servers.ts'

const START_WITHIN_MS = 120_000

/** A process that is killed at any moment, without a chance to clean up. */
export type KillableWorker = { kill(): Promise<void> }

function killable(child: ChildProcess): KillableWorker {
  const exited = once(child, 'exit')
  return {
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}

const STARTS_MAX = 5

/** Starts the API process, and starts it again if its first connections were cut. */
export async function startServerProcess(parts: ServerParts): Promise<Server> {
  for (let starts = 1; ; starts++) {
    try {
      return await startOnce(parts)
    } catch (error) {
      if (starts === STARTS_MAX) throw error
    }
  }
}

async function startOnce({ databaseUrl, secret }: ServerParts): Promise<Server> {
  const child = spawn(process.execPath, [await builtProgram('main'), '--role', 'api'], {
    env: {
      ...{ ...processEnvironment(), PORT: '0', PORTICO_DEMO: 'off', LOG_LEVEL: 'silent', PORTICO_POOL_SIZE: '3' },
      ...{ DATABASE_URL: databaseUrl, PORTICO_SECRET: secret, PORTICO_LIMITS: 'off' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { url: await printedAddress(child), ...killable(child) }
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const tooLate = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), START_WITHIN_MS)
    child.once('close', () => reject(new Error(`the process ended:\n${output}`)))
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      const address = /^ {2}API +(\S+)$/m.exec(output)?.[1]
      if (address === undefined) return
      clearTimeout(tooLate)
      resolve(address)
    })
  })
}

export type PublisherSettings = { readonly databaseUrl: string; readonly version: number; readonly seed: number }

/**
 * The exit code of a publisher that got an unexpected error. Other codes mean that one of its first connections failed.
 */
export const FAILED = 70

/** Starts a publisher process that works until it is killed. If it could not connect, it has already ended. */
export async function startPublisherProcess(settings: PublisherSettings): Promise<KillableWorker> {
  const child = spawn(process.execPath, [await builtProgram('publisher'), JSON.stringify(settings)], {
    env: processEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const { kill } = killable(child)
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return {
    kill: async () => {
      await kill()
      if (child.exitCode === FAILED) throw new Error(`a publisher failed: ${errors}`)
    },
  }
}
