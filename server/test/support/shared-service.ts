import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/** The name of the service's folder in the directory that all processes of a test run share. */
export const SHARED_SERVICE = 'shared-demo'

export type SharedService = { readonly pid: number; readonly data: string }

const ACCEPTANCE_FILE = /\/test\/acceptance\//
const ENDS_WITHIN_MS = 30_000

/** Stops the service that acceptance files share, if it is running, and waits until its PostgreSQL has stopped too. */
export async function endSharedService(sharedDirectory: string): Promise<void> {
  const directory = join(sharedDirectory, SHARED_SERVICE)
  const text = await readFile(join(directory, 'service.json'), 'utf8').catch(() => null)
  if (text === null) return
  // Without service.json, the next test file starts another service.
  await rm(directory, { recursive: true })
  const { pid, data }: SharedService = JSON.parse(text)
  process.kill(pid, 'SIGTERM')
  // The process itself may stay as a zombie, because the worker that started it has ended.
  const until = performance.now() + ENDS_WITHIN_MS
  while (await fileExists(join(data, 'postgres/cluster/postmaster.pid'))) {
    if (performance.now() > until) throw new Error(`the shared demo service ${pid} did not end`)
    await sleep(50)
  }
  await rm(data, { recursive: true })
}

/**
 * Stops the service after the last test file that may use it. An idle service still polls its queues, which uses a
 * tenth of a core.
 */
export class EndSharedService implements Reporter {
  readonly #waiting = new Set<string>()
  #ending: Promise<void> = Promise.resolve()

  onTestRunStart(files: readonly TestSpecification[]): void {
    for (const { moduleId } of files) if (ACCEPTANCE_FILE.test(moduleId)) this.#waiting.add(moduleId)
  }

  onTestModuleEnd({ moduleId, project }: TestModule): void {
    if (!this.#waiting.delete(moduleId) || this.#waiting.size > 0) return
    this.#ending = endSharedService(project.getProvidedContext().sharedDirectory)
  }

  async onTestRunEnd(): Promise<void> {
    await this.#ending
  }
}

async function fileExists(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  )
}
