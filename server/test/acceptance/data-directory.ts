import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { copyDirectory, madeOnce } from '#test/made-once.ts'
import { type Afterwards, startService, temporaryDirectory } from './service.ts'

/**
 * Returns a copy of the data directory of a service that ran before without the demo world. Use the copy in tests that
 * are not about a first start.
 */
export function usedData(when?: Afterwards): Promise<string> {
  return copyOf('used-data', 'off', when)
}

/** Returns a copy of a data directory with the demo world, because creating the demo world takes many seconds. */
export function demoData(when?: Afterwards): Promise<string> {
  return copyOf('demo-data', 'on', when)
}

async function copyOf(name: string, demo: 'on' | 'off', when: Afterwards = onTestFinished): Promise<string> {
  const made = await madeOnce(name, (empty) => fill(empty, demo))
  const data = join(await temporaryDirectory(when), 'data')
  await copyDirectory(made, data)
  return data
}

async function fill(data: string, demo: 'on' | 'off'): Promise<void> {
  await using started = new AsyncDisposableStack()
  const environment = { PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: demo }
  const service = await startService(environment, [], (stop) => {
    started.defer(stop)
  })
  if ((await service.end('SIGTERM')) !== 0)
    throw new Error(`the service did not exit with code 0 after SIGTERM:\n${service.output()}`)
}
