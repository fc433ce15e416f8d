import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The value of `getconf CLK_TCK` on every Linux that we use. */
const TICKS_PER_SECOND = 100
const MIB = 1_024

/** The PostgreSQL of a data directory: its postmaster and all processes below it. */
export function postgresOf(dataDirectory: string): readonly number[] {
  return postgresIn(join(dataDirectory, 'postgres'))
}

/** The processes of a PostgreSQL whose folder has another name, such as a replica. */
export function postgresIn(folder: string): readonly number[] {
  const postmaster = Number(readText(join(folder, 'cluster/postmaster.pid')).split('\n')[0])
  if (!Number.isInteger(postmaster) || postmaster <= 0) return []
  return [postmaster, ...childrenOf(postmaster)]
}

/** The server's process and its API processes. The PostgreSQL that the server started is not included. */
export function serverOf(pid: number, dataDirectory: string): readonly number[] {
  const [postmaster] = postgresOf(dataDirectory)
  return [pid, ...childrenOf(pid).filter((child) => child !== postmaster)]
}

function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => parentOf(pid) === parent)
}

/** Seconds of processor time so far, including children that have ended. */
export function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = statOf(pid).slice(11, 15).map(Number)
    return user + system + childUser + childSystem
  })
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
}

/** Resident memory in MiB. */
export function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) / MIB
}

const POLL_MS = 250

/** The maximum resident memory of a process in MiB, from now until `stop`. */
export function watchMemory(pid: number): { stop(): number } {
  let most = 0
  const look = () => {
    most = Math.max(most, residentMib(pid))
  }
  const looking = setInterval(look, POLL_MS).unref()
  return {
    stop: () => {
      clearInterval(looking)
      look()
      return most
    },
  }
}

/**
 * Memory in MiB with shared memory counted once. A process whose share cannot be read counts with its resident size.
 */
export function sharedOutMib(pids: readonly number[]): number {
  const kib = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? residentMib(pid) * MIB),
  )
  return kib.reduce((sum, each) => sum + each, 0) / MIB
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1])
}

/** The fields after the name, which may contain spaces. */
function statOf(pid: number): readonly string[] {
  const text = readText(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Empty if the process ended between the listing and this read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
