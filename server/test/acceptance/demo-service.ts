import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { demoData } from './data-directory.ts'
import { startService } from './service.ts'

/**
 * One service with its demo world for all tests of a file, because that takes a while to start. To be called at the
 * file's top level: a hook that another hook adds never runs, and the service would outlive the tests.
 */
export function demoService<Demo>(use: (demo: Demo) => Promise<void> | void): void {
  const opened = new AsyncDisposableStack()
  const afterwards = (work: () => Promise<void>) => {
    opened.defer(work)
  }
  beforeAll(async () => {
    const data = await demoData(afterwards)
    await startService({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' }, [], afterwards)
    await use(JSON.parse(await readFile(join(data, 'demo.json'), 'utf8')))
  })
  afterAll(() => opened.disposeAsync())
}
