import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Load, LoadResult } from './generator.ts'

export type Generator = { readonly pid: number; run(load: Load): Promise<LoadResult> }

type Message = { readonly result: LoadResult } | { readonly failure: string }

/** Runs the generator's process while the work runs. */
export async function withGenerator<T>(work: (generator: Generator) => Promise<T>): Promise<T> {
  const child = fork(`${import.meta.dirname}/generator.ts`, { env: { PATH: process.env['PATH'] } })
  const exited = once(child, 'exit')
  const run = async (load: Load): Promise<LoadResult> => {
    child.send(load)
    const ended = exited.then(() => [{ failure: 'the load generator ended' }])
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [Message]
    if ('failure' in message) throw new Error(message.failure)
    return message.result
  }
  try {
    return await work({ pid: child.pid ?? -1, run })
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}
