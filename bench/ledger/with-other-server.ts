import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '../service.ts'
import type { PageRequest } from './pages.ts'

export type OtherKind = 'memory' | 'stored' | 'statement' | 'conventional'
export type OtherSettings = {
  readonly databaseUrl: string
  readonly kind: OtherKind
  readonly pages: readonly PageRequest[]
}

export const SETTINGS_KEY = 'BENCH_OTHER_SERVER'

/** Starts a server to compare ours with, in a separate process, and stops it when the work is done. */
export async function withOtherServer<T>(settings: OtherSettings, work: (server: Service) => Promise<T>): Promise<T> {
  // The settings are too long for an environment variable.
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-other-'))
  const file = join(directory, 'settings.json')
  await writeFile(file, JSON.stringify(settings))
  const child = fork(new URL('./other-server.ts', import.meta.url), {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', [SETTINGS_KEY]: file },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  try {
    const [message] = await Promise.race([once(child, 'message'), exited.then(() => [null])])
    if (message === null) throw new Error(`the server “${settings.kind}” ended before it listened`)
    return await work({ address: message.address, pid: child.pid ?? -1 })
  } finally {
    child.kill('SIGTERM')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
}
