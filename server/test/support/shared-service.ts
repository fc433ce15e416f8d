import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Its directory in the run's shared one. */
export const SHARED_SERVICE = 'shared-demo'

export type SharedService = { readonly pid: number; readonly data: string }

const ENDS_WITHIN_MS = 30_000

/** Ends the service that acceptance files share, if any of them started it, and waits until its PostgreSQL is gone too. */
export async function endSharedService(sharedDirectory: string): Promise<void> {
  const text = await readFile(join(sharedDirectory, SHARED_SERVICE, 'service.json'), 'utf8').catch(() => null)
  if (text === null) return
  const { pid, data }: SharedService = JSON.parse(text)
  process.kill(pid, 'SIGTERM')
  // The process itself may stay as a zombie, because the worker that started it is gone.
  const until = performance.now() + ENDS_WITHIN_MS
  while (await isThere(join(data, 'postgres/cluster/postmaster.pid'))) {
    if (performance.now() > until) throw new Error(`the shared demo service ${pid} did not end`)
    await sleep(50)
  }
}

async function isThere(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  )
}
