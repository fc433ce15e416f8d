import { spawn } from 'node:child_process'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, inject } from 'vitest'
import { builtProgram } from '#test/built-server.ts'
import { copyDirectory, madeOnce } from '#test/made-once.ts'
import { SHARED_SERVICE, type SharedService } from '#test/shared-service.ts'
import { demoData } from './data-directory.ts'
import { processEnvironment } from './process-environment.ts'
import { START_WITHIN_MS, startService } from './service.ts'

/** `data` is the service's data directory, which contains its database. */
type Use<Demo> = (demo: Demo, data: string) => Promise<void> | void

const settingsFor = (data: string) => ({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' })

/**
 * Starts one service with its demo world for all tests of a file, because a start is slow. Call this at the file's top
 * level, not in a hook: Vitest never runs a hook that another hook adds, so the service would not be stopped.
 */
export function demoService<Demo>(onStart: Use<Demo>): void {
  const opened = new AsyncDisposableStack()
  const afterwards = (work: () => Promise<void>) => {
    opened.defer(work)
  }
  beforeAll(async () => {
    const data = await demoData(afterwards)
    await startService(settingsFor(data), [], afterwards)
    await onStart(await readDemo(data), data)
  })
  afterAll(() => opened.disposeAsync())
}

/**
 * Starts one service with its demo world for all test files of the run that use it. Such a file must not change data
 * that another file reads. It moves no clock, suspends no app, disconnects no user, and installs apps only where no
 * other file does.
 */
export function sharedDemoService<Demo>(use: Use<Demo>): void {
  beforeAll(async () => {
    const started = await madeOnce(SHARED_SERVICE, startSharedService)
    const { data }: SharedService = JSON.parse(await readFile(join(started, 'service.json'), 'utf8'))
    await use(await readDemo(data), data)
  })
}

export async function readDemo<Demo>(data: string): Promise<Demo> {
  return JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
}

/**
 * The service keeps running after the test file and the Vitest worker that started it have ended. global-setup.ts stops
 * it at the end of the run.
 */
async function startSharedService(empty: string): Promise<void> {
  const data = join(inject('sharedDirectory'), `${SHARED_SERVICE}-data`)
  await using cleanUp = new AsyncDisposableStack()
  await copyDirectory(await demoData((work) => cleanUp.defer(work)), data)
  const printed = join(empty, 'printed.txt')
  const output = await open(printed, 'a')
  const child = spawn(process.execPath, [await builtProgram('main')], {
    detached: true,
    env: { ...processEnvironment(), ...settingsFor(data) },
    stdio: ['ignore', output.fd, output.fd],
  })
  child.unref()
  await output.close()
  const service: SharedService = { pid: child.pid ?? -1, data }
  await writeFile(join(empty, 'service.json'), JSON.stringify(service))
  const until = performance.now() + START_WITHIN_MS
  while (!/^ {2}API +\S+$/m.test(await readFile(printed, 'utf8'))) {
    if (child.exitCode !== null || performance.now() > until) {
      throw new Error(`the shared demo did not start:\n${await readFile(printed, 'utf8')}`)
    }
    await sleep(50)
  }
}
