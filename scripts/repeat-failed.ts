import { startVitest } from 'vitest/node'
import { failedFiles } from './failed-files.ts'

/**
 * `.ci/run` calls this after a failed `npm test`, when nothing else runs. It runs the failed files again and, if all of them
 * pass, names them: an unstable test is a fault to fix, but must not hide whether all other tests pass
 * (docs/decisions/0039-unstable-tests.md).
 */
const FILES_MAX = 3

const files = failedFiles()
if (files === undefined || files.length === 0 || files.length > FILES_MAX) {
  process.stdout.write(
    `Nothing is repeated: ${files?.length ? `${files.length} files failed, at most ${FILES_MAX} are repeated` : 'the run failed outside its test files'}.\n`,
  )
  process.exit(1)
}
const vitest = await startVitest('test', [...files], { watch: false, maxWorkers: 1 })
await vitest.close()
if (!process.exitCode) {
  process.stdout.write(
    `\nUNSTABLE: failed beside other work, passed alone. Find the cause and fix it:\n${files.map((file) => `  ${file}\n`).join('')}`,
  )
}
