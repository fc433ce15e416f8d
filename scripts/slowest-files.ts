import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const ROOT = join(import.meta.dirname, '..')
const SHOWN = 20

type FileTime = { readonly file: string; readonly seconds: number; readonly tests: number }

/**
 * Prints the twenty slowest test files after a run, and writes the times of all of them to
 * `node_modules/.cache/portico/test-times.json`. A file's time includes loading it, its hooks and its tests.
 */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map(timeOf).sort((a, b) => b.seconds - a.seconds)
    if (times.length <= SHOWN) return
    const directory = join(ROOT, 'node_modules/.cache/portico')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'test-times.json'), `${JSON.stringify(times, null, 2)}\n`)
    const total = times.reduce((sum, { seconds }) => sum + seconds, 0)
    const lines = times
      .slice(0, SHOWN)
      .map(({ file, seconds, tests }) => `${seconds.toFixed(1).padStart(7)} s  ${file} (${tests})`)
    process.stdout.write(
      `\nSlowest of ${times.length} files, ${total.toFixed(0)} s of work in all:\n${lines.join('\n')}\n`,
    )
  }
}

function timeOf(module: TestModule): FileTime {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  const milliseconds = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
  return {
    file: relative(ROOT, module.moduleId),
    seconds: milliseconds / 1_000,
    tests: [...module.children.allTests()].length,
  }
}
