import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * A process of the bench. A report does not name its command, so send the next command only after the report of the last
 * one.
 */
export type Child<Order, Report> = { readonly pid: number; send(order: Order): Promise<Report> }

/** Runs a file of this folder as a process until the work is done. */
export async function withChild<Order extends object, Report, T>(
  file: string,
  work: (child: Child<Order, Report>) => Promise<T>,
): Promise<T> {
  const child = fork(`${import.meta.dirname}/${file}`, { env: { PATH: process.env['PATH'] } })
  const exited = once(child, 'exit')
  const send = async (order: Order): Promise<Report> => {
    const answered = once(child, 'message')
    child.send(order)
    const ended = exited.then((): never => {
      throw new Error(`${file} ended before it answered`)
    })
    const [report] = (await Promise.race([answered, ended])) as [Report]
    return report
  }
  try {
    return await work({ pid: child.pid ?? -1, send })
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}
