import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { FailedFiles } from './scripts/failed-files.ts'
import { SlowestFiles } from './scripts/slowest-files.ts'
import { EndSharedService } from './server/test/support/shared-service.ts'

const MOUNTS = '/proc/mounts'
const ENOUGH_BYTES = 8 * 1024 ** 3

/**
 * Returns a directory in memory for the temporary files of the tests. These are gigabytes, and some are databases that
 * flush to disk. The speed of disks differs by a factor of a hundred. If there is not enough memory, or if the directory
 * is mounted `noexec`, this returns undefined, and the tests use the system's default.
 */
function directoryInMemory(): string | undefined {
  if (!existsSync(MOUNTS)) return undefined
  const [, memory] = / (\/dev\/shm) tmpfs (?!\S*noexec)/.exec(readFileSync(MOUNTS, 'utf8')) ?? []
  if (memory === undefined) return undefined
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= ENOUGH_BYTES ? memory : undefined
}

const place = process.env['TMPDIR'] ?? directoryInMemory()
if (place !== undefined) process.env['TMPDIR'] = place

/** A workspace with its own dependencies and its own command: `npm run test:clients`. */
const ELSEWHERE = 'clients-test/**'

/**
 * Slow test files start first. Otherwise one worker would run a slow file alone at the end: without times of an earlier
 * run, Vitest starts with the largest files, but the slowest file has fewer than thirty lines (cli/test/demo.test.ts).
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = (file: TestSpecification) =>
      Number(!/\/(cli\/test|test\/acceptance|test\/prove)\//.test(file.moduleId))
    return (await super.sort(files)).sort((a, b) => isShort(a) - isShort(b))
  }
}

/**
 * Returns the tests to leave out, because they need programs that not every machine has: a Redis (`npm run test:redis`);
 * Python, Ruby and jq (`npm run docs:blocks`).
 */
function withOtherPrograms(): readonly string[] {
  const { PORTICO_TEST_REDIS: redis, PORTICO_TEST_GUIDES: guides } = process.env
  return [...(redis === 'on' ? [] : ['server/test/redis/**']), ...(guides === 'on' ? [] : ['server/test/guides/**'])]
}

export default defineConfig({
  test: {
    // Every workspace, present and future.
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, ELSEWHERE, ...withOtherPrograms()],
    reporters: ['default', new SlowestFiles(), new FailedFiles(), new EndSharedService()],
    globalSetup: ['server/test/support/global-setup.ts'],
    setupFiles: ['server/test/support/seeded-random.ts', 'server/test/support/record-answers.ts'],
    pool: 'forks',
    // A test file waits for its database half of the time, so two workers would leave a fifth of two cores idle. `.ci/run`
    // sets two workers, because it runs other work beside the tests.
    maxWorkers: 3,
    // Tests allocate many short-lived objects: with a larger young generation V8 collects garbage less often.
    execArgv: ['--max-semi-space-size=64'],
    // The test files of a worker share its process, so that each module is loaded once and not for each of hundreds of
    // files. In return a test file must clean up: it closes what it opens and restores what it changes in the process.
    // A module that test files import must not register hooks at load: the hooks would run only for the first test file
    // (server/test/architecture/hooks.test.ts).
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // Node runs TypeScript itself, as `npm start` does, and Vite transforms no files. So the main process needs only a
    // quarter of the processor time, and each worker can use the code that another worker has compiled (global-setup.ts).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // These limits only end a test that hangs. They do not say how fast a machine has to be, and a longer test sets its
    // own limit. A poll ends well before its test, so that the poll can report what it waited for. The default of one
    // second is shorter than a stall of a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
  },
})
