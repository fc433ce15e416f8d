import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Report, StartRequest } from './child.ts'
import { afterThisTest } from './scratch.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

/** Starts a server in another Node process, and returns the report of that process. */
export async function startInChild(request: StartRequest) {
  const child = fork(CHILD, [JSON.stringify(request)], { execArgv: [] })
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

/** Like startInChild(), but throws if the start fails. */
export async function startedInChild(request: StartRequest) {
  const { report, ...child } = await startInChild(request)
  if (!report.started) throw new Error(`${report.name}: ${report.message}`)
  return { ...child, ...report }
}
