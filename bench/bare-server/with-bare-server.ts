import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '../service.ts'

export type BareSettings = {
  readonly databaseUrl: string
  /** Whether the bare server looks up the token before it responds. */
  readonly looksUp: boolean
  /** The paths that the bare server serves, each with our service's response. */
  readonly texts: readonly { readonly path: string; readonly text: string }[]
}

export const SETTINGS_KEY = 'BENCH_BARE_SERVER'

/** Starts the bare server in a separate process, and stops it when the work is done. */
export async function withBareServer<T>(settings: BareSettings, work: (server: Service) => Promise<T>): Promise<T> {
  // The settings are too long for an environment variable.
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-bare-'))
  const file = join(directory, 'settings.json')
  await writeFile(file, JSON.stringify(settings))
  const child = fork(new URL('./bare-server.ts', import.meta.url), {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', [SETTINGS_KEY]: file },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  try {
    const [message] = await Promise.race([once(child, 'message'), exited.then(() => [null])])
    if (message === null) throw new Error('the bare server ended before it listened')
    return await work({ address: message.address, pid: child.pid ?? -1 })
  } finally {
    child.kill('SIGTERM')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
}
