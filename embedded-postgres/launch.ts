import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RunnableBinaries } from './binaries.ts'
import { EmbeddedPostgresError, failure, messageOf } from './error.ts'
import { endOfLog, type Layout, openLog } from './layout.ts'
import { CHILD_ENVIRONMENT, identityOptions, type RunAs } from './run.ts'
import { identityOf, type ProcessIdentity, type StopPatience, stopServer } from './server-process.ts'
import { type Endpoint, freePort, SOCKET_PORT, serverArguments } from './settings.ts'
import { waitUntilReady } from './wait-until-ready.ts'

/** The server ended because of an obstacle that may disappear soon, so the caller tries again. */
export class TemporaryObstacle extends Error {
  override readonly name = 'TemporaryObstacle'
}

/**
 * The messages that PostgreSQL prints when, in this order: backends of a killed server still run; another server has started on
 * this directory, and its Node was killed; another program took the port after we had checked it.
 */
const OBSTACLE_MESSAGES =
  /pre-existing shared memory block|lock file "postmaster.pid" already exists|could not create any TCP\/IP sockets/

/** Starts a server and waits until it responds. */
export async function launch(plan: Plan): Promise<RunningServer> {
  const { layout, patience } = plan
  const endpoint = await chooseEndpoint(plan.listen)
  const { child, logStart } = await spawnServer(plan, endpoint)
  plan.onWaiting()
  const server = identityOf(child.pid ?? 0)
  const target = { ...plan, endpoint }
  const info = await waitUntilReady(target, patience.readyMs, () => hasEnded(child)).catch(async (error) => {
    await stopServer(server, patience, plan.log)
    throw error
  })
  if (info) return { process: server, endpoint, version: info.version, adopted: false }
  const logText = await endOfLog(layout, logStart)
  if (hasEnded(child)) {
    if (OBSTACLE_MESSAGES.test(logText)) throw new TemporaryObstacle(logText)
    throw failure(`PostgreSQL did not start on ${layout.cluster}. Its log says`, logText)
  }
  // We leave the server running. Stopping it would discard the recovery so far, and the next start would take as long again.
  throw new EmbeddedPostgresError(
    `PostgreSQL on ${layout.cluster} (pid ${child.pid}) is not ready after ${patience.readyMs} ms, perhaps because it ` +
      `is recovering from a crash. It was left running: start again in a while. Its log says: ${logText}`,
  )
}

/**
 * The server runs in its own session and writes its output to a file. So neither Ctrl-C in our terminal nor the end of our
 * process stops the server, and the next start takes it over.
 */
async function spawnServer(plan: Plan, endpoint: Endpoint): Promise<{ child: ChildProcess; logStart: number }> {
  const { layout, binaries, runAs, durable, settings } = plan
  const args = serverArguments({ cluster: layout.cluster, endpoint, durable, settings })
  await using log = await openLog(layout)
  const { size: logStart } = await log.stat()
  try {
    const child = spawn(binaries.postgres, args, {
      cwd: '/',
      detached: true,
      env: CHILD_ENVIRONMENT,
      stdio: ['ignore', log.fd, log.fd],
      ...identityOptions(runAs),
    })
    await once(child, 'spawn')
    child.unref()
    return { child, logStart }
  } catch (error) {
    throw failure(`PostgreSQL could not be started from ${binaries.postgres}`, messageOf(error), error)
  }
}

async function chooseEndpoint(listen: Listen): Promise<Endpoint> {
  if (listen.kind === 'socket') return { ...listen, port: SOCKET_PORT }
  return { kind: 'tcp', port: await freePort(listen.preferredPort) }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Where the server should listen. The TCP port is only a preference: if another program uses it, the server gets another port. */
type Listen =
  | { readonly kind: 'socket'; readonly directory: string }
  | { readonly kind: 'tcp'; readonly preferredPort: number }

export type Patience = StopPatience & {
  /** How long a server may take to start, which includes recovery from a crash. */
  readonly readyMs: number
  /** How long a server that reports to be ready may take to respond. */
  readonly answerMs: number
}

/** Everything that is needed to start a server or to take one over. */
export type Plan = {
  readonly layout: Layout
  readonly runAs: RunAs
  readonly binaries: RunnableBinaries
  readonly password: string
  readonly database: string
  readonly durable: boolean
  readonly settings: Readonly<Record<string, string>>
  readonly listen: Listen
  readonly patience: Patience
  readonly log: (message: string) => void
  readonly onWaiting: () => void
}

export type RunningServer = {
  readonly process: ProcessIdentity
  readonly endpoint: Endpoint
  readonly version: string
  readonly adopted: boolean
}
