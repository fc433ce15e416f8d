import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RunnableBinaries } from './binaries.ts'
import { EmbeddedPostgresError, failure, messageOf } from './error.ts'
import { endOfLog, type Layout, openLog } from './layout.ts'
import { CHILD_ENVIRONMENT, identityOptions, type RunAs } from './run.ts'
import { identityOf, type ProcessIdentity, type StopPatience, stopServer } from './server-process.ts'
import { type Endpoint, freePort, SOCKET_PORT, serverArguments } from './settings.ts'
import { waitUntilReady } from './wait-until-ready.ts'

/** The server ended because of an obstacle that may be gone in a moment. */
export class InTheWay extends Error {
  override readonly name = 'InTheWay'
}

/**
 * The obstacles, in the order of the expression: backends of a killed server that have not noticed yet; a server started by a
 * Node that was killed just then; a port taken between our check and PostgreSQL's.
 */
const IN_THE_WAY =
  /pre-existing shared memory block|lock file "postmaster.pid" already exists|could not create any TCP\/IP sockets/

/** Starts a server and waits until it responds. */
export async function launch(plan: Plan): Promise<RunningServer> {
  const { layout, patience } = plan
  const endpoint = await chooseEndpoint(plan.listen)
  const { child, logStart } = await spawnServer(plan, endpoint)
  plan.onWaiting()
  const server = identityOf(child.pid ?? 0)
  const question = { ...plan, endpoint }
  const answer = await waitUntilReady(question, patience.readyMs, () => hasEnded(child)).catch(async (error) => {
    await stopServer(server, patience, plan.log)
    throw error
  })
  if (answer) return { process: server, endpoint, version: answer.version, adopted: false }
  const logText = await endOfLog(layout, logStart)
  if (hasEnded(child)) {
    if (IN_THE_WAY.test(logText)) throw new InTheWay(logText)
    throw failure(`PostgreSQL did not start on ${layout.cluster}. It said`, logText)
  }
  // Stopping the server would discard the recovery so far, and the next start would take as long again.
  throw new EmbeddedPostgresError(
    `PostgreSQL on ${layout.cluster} (pid ${child.pid}) is not ready after ${patience.readyMs} ms, perhaps because it ` +
      `is recovering from a crash. It was left running: start again in a while. It said: ${logText}`,
  )
}

/**
 * The server runs in its own session and writes its output to a file, so that neither Ctrl-C in our terminal nor the end of our
 * process stops it; the next start takes it over.
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

/** Where the server should listen. A TCP port is only a preference: if it is taken, another is used. */
type Listen =
  | { readonly kind: 'socket'; readonly directory: string }
  | { readonly kind: 'tcp'; readonly preferredPort: number }

export type Patience = StopPatience & {
  /** How long a starting server may take: recovery from a crash takes time. */
  readonly readyMs: number
  /** How long a server that reports to be ready may take to respond. */
  readonly answerMs: number
}

/** Everything that was determined before a server is started or taken over. */
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
