import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { CHILD_ENVIRONMENT } from './run.ts'
import type { Endpoint } from './settings.ts'

/**
 * A pid alone identifies a process only for a short time: after a crash or a reboot it may belong to another one.
 * Together with the start time it is unique. `startedAt` is null if the system does not report it.
 */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string | null }

type Seen = { readonly startedAt: string; readonly zombie: boolean }

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: look(pid)?.startedAt ?? null }
}

/**
 * A zombie counts as ended: it owns nothing, and it stays until its parent reaps it, which pid 1 of a container may
 * never do.
 */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  if (!pidExists(pid)) return false
  const seen = look(pid)
  // The process exists but cannot be read (/proc mounted with hidepid): assume that it runs.
  if (seen === undefined) return true
  return !seen.zombie && (startedAt === null || startedAt === seen.startedAt)
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

function look(pid: number): Seen | undefined {
  try {
    return HAS_PROC ? lookInProc(pid) : lookWithPs(pid)
  } catch {
    return undefined
  }
}

/** Ticks are counted from boot, so the boot id is needed: after a reboot the same pid can start at the same tick. */
function lookInProc(pid: number): Seen {
  const { state, startTicks } = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { startedAt: `${bootId}/${startTicks}`, zombie: state === 'Z' || state === 'X' }
}

/** For systems without /proc, such as macOS. Precise to the second. */
export function lookWithPs(pid: number): Seen {
  const [state = '', ...startedAt] = ps(pid, 'stat=,lstart=').trim().split(/\s+/)
  return { startedAt: startedAt.join(' '), zombie: state.startsWith('Z') }
}

/** proc(5): `pid (comm) state …`, start time in field 22. The name may contain spaces and parentheses. */
export function parseProcStat(text: string): { state: string; startTicks: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
}

/**
 * Whether this pid is a postmaster on this cluster. The working directory is the best evidence, because it is still
 * correct after a renaming of the data directory, but root in a container may not be allowed to read it. Every user can read the
 * arguments.
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

/** The contents of the postmaster.pid file of a running PostgreSQL. */
export type PostmasterFile = {
  readonly pid: number
  readonly dataDirectory: string
  readonly endpoint: Endpoint | undefined
  readonly status: PostmasterStatus
}

/** 'unknown' until the server has written its status. */
type PostmasterStatus = 'starting' | 'ready' | 'stopping' | 'unknown'

const STATUSES: Readonly<Record<string, PostmasterStatus>> = {
  starting: 'starting',
  ready: 'ready',
  standby: 'ready',
  stopping: 'stopping',
}

/**
 * Lines (PostgreSQL's src/include/utils/pidfile.h): pid, data directory, start time, port, socket directory, listen address,
 * shared memory key, status. They are written one by one, so later ones may be missing. Undefined if even the pid is missing,
 * as after a power cut.
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
 * PostgreSQL's ways to stop, from gentle to rough. Fast (SIGINT) ends sessions and writes everything to disk. After
 * immediate (SIGQUIT) or a kill, the next start recovers the rest. No committed data is lost either way.
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
  // Checks the identity before every signal: by now the pid may belong to an unrelated process.
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
