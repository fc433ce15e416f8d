import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { SlowestFiles } from './scripts/slowest-files.ts'
import { EndSharedService } from './server/test/support/shared-service.ts'

const MOUNTS = '/proc/mounts'
const ENOUGH_BYTES = 8 * 1024 ** 3

/**
 * Where the tests write: gigabytes that nobody keeps, among them databases that are flushed like any other. A disk can take a
 * hundred times as long for that as another; memory has no such days. The system's own place where there is
 * not enough of it, or where programs may not be run from it.
 */
function placeForTests(): string | undefined {
  if (!existsSync(MOUNTS)) return undefined
  const [, memory] = / (\/dev\/shm) tmpfs (?!\S*noexec)/.exec(readFileSync(MOUNTS, 'utf8')) ?? []
  if (memory === undefined) return undefined
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= ENOUGH_BYTES ? memory : undefined
}

const place = process.env['TMPDIR'] ?? placeForTests()
if (place !== undefined) process.env['TMPDIR'] = place

/** Has dependencies of its own, and a command of its own: `npm run test:clients`. */
const ELSEWHERE = 'clients-test/**'

/** The long ones begin first, lest a worker be left alone with one of them at the end. */
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = (file: TestSpecification) => Number(!/\/test\/(acceptance|prove)\//.test(file.moduleId))
    return (await super.sort(files)).sort((a, b) => isShort(a) - isShort(b))
  }
}

export default defineConfig({
  test: {
    // Every workspace, present and future.
    include: ['**/*.test.ts'],
    // They need a Redis, which nothing else does: `npm run test:redis`.
    exclude:
      process.env['PORTICO_TEST_REDIS'] === 'on'
        ? [...configDefaults.exclude, ELSEWHERE]
        : [...configDefaults.exclude, ELSEWHERE, 'server/test/redis/**'],
    reporters: ['default', new SlowestFiles(), new EndSharedService()],
    globalSetup: ['server/test/support/global-setup.ts'],
    setupFiles: ['server/test/support/seeded-chance.ts', 'server/test/support/record-answers.ts'],
    pool: 'forks',
    // A file waits for its database half of the time: two of them leave a fifth of two cores idle. `.ci/run`, which has other
    // work beside the tests, asks for two.
    maxWorkers: 3,
    // Their workers make much that is soon forgotten: with more room for it V8 tidies up less often.
    execArgv: ['--max-semi-space-size=64'],
    // The files of a worker share its process, so that each module is loaded once and not again for every file, of
    // which there are hundreds. In return a file leaves nothing behind and finds nothing. What it opens it closes,
    // what it changes of the process it puts back, and what it imports, tests aside, registers no hooks by itself:
    // those would belong to the first file alone (server/test/architecture/hooks.test.ts).
    isolate: false,
    sequence: { sequencer: LongOnesFirst },
    // Nothing here says how fast a machine has to be: these only end what hangs, and a test that is longer says so itself.
    // What polls gives up well before its test does, and so can say what it was waiting for; the default of one second is
    // less than a busy machine stalls.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
  },
})
