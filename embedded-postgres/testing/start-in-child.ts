import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order, Report } from './child.ts'
import { afterThisTest } from './scratch.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

/** Starts a server from another Node process, and reports how that went. */
export async function startInChild(order: Order) {
  const child = fork(CHILD, [JSON.stringify(order)], { execArgv: [] })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  afterThisTest(kill)
  const [report] = (await Promise.race([once(child, 'message'), exited])) as [Report]
  const stop = async () => {
    child.send('stop')
    await exited
  }
  return { report, pid: child.pid ?? 0, kill, stop }
}

/** The same, for a start that is expected to succeed. */
export async function startedInChild(order: Order) {
  const { report, ...child } = await startInChild(order)
  if (!report.started) throw new Error(`${report.name}: ${report.message}`)
  return { ...child, ...report }
}
