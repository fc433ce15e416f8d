import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { errorCode } from './error.ts'
import { CHILD_ENVIRONMENT } from './run.ts'

/**
 * A pid alone does not name a process for long: after a crash or a reboot it belongs to another process. Together with
 * the moment its process started it does. `startedAt` is null where the system does not tell.
 */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string | null }

type Seen = { readonly startedAt: string; readonly zombie: boolean }

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: look(pid)?.startedAt ?? null }
}

/** A zombie counts as gone: it holds nothing, and under a careless pid 1 of a container it stays for ever. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  if (!pidExists(pid)) return false
  const seen = look(pid)
  // Exists but cannot be looked at (/proc mounted with hidepid): better to spare a stranger than to miss an owner.
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

/** Ticks are counted from boot, hence the boot id: after a reboot the same pid can start at the same tick. */
function lookInProc(pid: number): Seen {
  const { state, startTicks } = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { startedAt: `${bootId}/${startTicks}`, zombie: state === 'Z' || state === 'X' }
}

/** For systems without /proc, macOS in the first place. Precise to the second. */
export function lookWithPs(pid: number): Seen {
  const [state = '', ...startedAt] = ps(pid, 'stat=,lstart=').trim().split(/\s+/)
  return { startedAt: startedAt.join(' '), zombie: state.startsWith('Z') }
}

/** proc(5): `pid (comm) state …`, start time in field 22. The name may itself hold spaces and parentheses. */
export function parseProcStat(text: string): { state: string; startTicks: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
}

/**
 * Whether this pid is a postmaster on this cluster. Its working directory tells best (it survives a renamed data
 * directory) but root in a container may not be allowed to see it; its arguments are open to everybody.
 */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!pidExists(pid)) return false
  try {
    if (!HAS_PROC) return ps(pid, 'command=').includes(`postgres -D ${cluster} `)
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // Its children call themselves 'postgres: checkpointer' and so on.
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
