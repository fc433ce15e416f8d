import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const ROOT = join(import.meta.dirname, '..')

/** The path of the list of failed files. Only `.ci/run` sets it, for the run whose failed files `.ci/run` repeats. */
const list = process.env['PORTICO_FAILED_FILES']

/** Lists the test files that failed, for `scripts/repeat-failed.ts`. */
export class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    // An error outside the tests belongs to no file. If only files were repeated, CI would not report it.
    if (list === undefined || unhandledErrors.length > 0) return
    const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => relative(ROOT, moduleId))
    writeFileSync(list, JSON.stringify(failed))
  }
}

/** The files that failed. Undefined if the run did not end, or failed outside its test files. */
export function failedFiles(): readonly string[] | undefined {
  try {
    return list === undefined ? undefined : (JSON.parse(readFileSync(list, 'utf8')) as readonly string[])
  } catch {
    return undefined
  }
}

/** Removes the list after a failure outside the test files, such as a response that OpenAPI does not list. */
export function forgetFailedFiles(): void {
  if (list !== undefined) rmSync(list, { force: true })
}
