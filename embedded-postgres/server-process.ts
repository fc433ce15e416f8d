import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { CHILD_ENVIRONMENT } from './run.ts'
import type { Endpoint } from './settings.ts'

/**
 * A pid alone does not identify a process: after a crash or a reboot another process may have the same pid. The pid and the start
 * time together are unique. `startedAt` is null if the system does not report the start time.
 */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string | null }

type ProcessState = { readonly startedAt: string; readonly zombie: boolean }

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: readState(pid)?.startedAt ?? null }
}

/**
 * A zombie counts as ended. It has no resources any more, and exists until its parent reaps it, which pid 1 of a container may
 * never do.
 */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  if (!pidExists(pid)) return false
  const current = readState(pid)
  // The process exists, but we cannot read its state (/proc is mounted with hidepid): assume that it runs.
  if (current === undefined) return true
  return !current.zombie && (startedAt === null || startedAt === current.startedAt)
}

export function pidExists(pid: number): boolean {
  // Zero and negative numbers address process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

const HAS_PROC = existsSync('/proc/self/stat')

function readState(pid: number): ProcessState | undefined {
  try {
    return HAS_PROC ? readStateInProc(pid) : readStateWithPs(pid)
  } catch {
    return undefined
  }
}

/** Ticks are counted from boot. The boot id is needed because after a reboot the same pid can start at the same tick. */
function readStateInProc(pid: number): ProcessState {
  const { state, startTicks } = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { startedAt: `${bootId}/${startTicks}`, zombie: state === 'Z' || state === 'X' }
}

/** For systems without /proc, such as macOS. The start time is precise to the second. */
export function readStateWithPs(pid: number): ProcessState {
  const [state = '', ...startedAt] = ps(pid, 'stat=,lstart=').trim().split(/\s+/)
  return { startedAt: startedAt.join(' '), zombie: state.startsWith('Z') }
}

/** proc(5): the text is `pid (comm) state …`, and field 22 is the start time. `comm` may contain spaces and parentheses. */
export function parseProcStat(text: string): { state: string; startTicks: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
}

/**
 * Whether this pid is a postmaster on this cluster. Its arguments name the cluster, and its working directory is the
 * cluster. One of the two is enough: after the data directory was renamed, the arguments still have the old name, and
 * root in a container may not be allowed to read the working directory. Without /proc, only the arguments are compared.
 */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!pidExists(pid)) return false
  try {
    if (!HAS_PROC) return ps(pid, 'command=').includes(`postgres -D ${cluster} `)
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // A postmaster's children call themselves 'postgres: checkpointer' and so on.
    if (basename(program) !== 'postgres') return false
    return (args[0] === '-D' && args[1] === cluster) || workingDirectory(pid) === cluster
  } catch {
    return false
  }
}

function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function ps(pid: number, format: string): string {
  const columns = format.split(',').flatMap((column) => ['-o', column])
  return execFileSync('ps', [...columns, '-p', String(pid)], { encoding: 'utf8', env: CHILD_ENVIRONMENT })
}

/** The contents of the postmaster.pid file of a PostgreSQL that runs, or that was killed. */
export type PostmasterFile = {
  readonly pid: number
  readonly dataDirectory: string
  readonly endpoint: Endpoint | undefined
  readonly status: PostmasterStatus
}

/** The status is 'unknown' until the server has written it. */
type PostmasterStatus = 'starting' | 'ready' | 'stopping' | 'unknown'

const STATUSES: Readonly<Record<string, PostmasterStatus>> = {
  starting: 'starting',
  ready: 'ready',
  standby: 'ready',
  stopping: 'stopping',
}

/**
 * The lines are (PostgreSQL's src/include/utils/pidfile.h): pid, data directory, start time, port, socket directory, listen
 * address, shared memory key, status. PostgreSQL writes them one by one, so the last lines may be missing. Returns undefined if
 * the pid is missing too, as after a power cut.
 */
export function parsePostmasterPid(text: string): PostmasterFile | undefined {
  const [pidText = '', dataDirectory = '', , portText = '', socketDirectory = '', address = '', , status = ''] =
    text.split('\n')
  // A standalone backend (`postgres --single`) writes its pid with a minus.
  const pid = Math.abs(Number(pidText))
  if (!Number.isInteger(pid) || pid === 0) return undefined
  const endpoint = parseEndpoint(Number(portText), socketDirectory, address)
  return { pid, dataDirectory, endpoint, status: STATUSES[status.trim()] ?? 'unknown' }
}

function parseEndpoint(port: number, socketDirectory: string, address: string): Endpoint | undefined {
  if (!Number.isInteger(port) || port === 0) return undefined
  if (socketDirectory !== '') return { kind: 'socket', directory: socketDirectory, port }
  return address === '' ? undefined : { kind: 'tcp', port }
}

export type StopPatience = { readonly fastStopMs: number; readonly immediateStopMs: number }

/**
 * Stops the server with a fast shutdown (SIGINT), which ends sessions and writes everything to disk. If that takes too long, an
 * immediate shutdown (SIGQUIT) or SIGKILL follows, and the next start recovers. A durable server never loses committed data.
 */
export async function stopServer(
  server: ProcessIdentity,
  patience: StopPatience,
  log: (message: string) => void,
): Promise<void> {
  const { fastStopMs, immediateStopMs } = patience
  if (await stopWith('SIGINT', server, fastStopMs)) return
  log(`PostgreSQL (pid ${server.pid}) did not stop within ${fastStopMs} ms; stopping it at once.`)
  if (await stopWith('SIGQUIT', server, immediateStopMs)) return
  if (await stopWith('SIGKILL', server, immediateStopMs)) return
  throw new EmbeddedPostgresError(`PostgreSQL (pid ${server.pid}) could not be stopped. Stop it by hand and try again.`)
}

async function stopWith(signal: NodeJS.Signals, server: ProcessIdentity, patienceMs: number): Promise<boolean> {
  // We check the identity before every signal, because another process may have the pid by now.
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
