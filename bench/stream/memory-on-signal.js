// Loaded into the service before its own modules (node --import). On SIGUSR2 it collects garbage and writes the
// memory that remains in use to a file.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['BENCH_MEMORY_FILE']

if (isMainThread && file !== undefined) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.()
    globalThis.gc?.()
    writeFileSync(file, `${JSON.stringify(process.memoryUsage())}\n`)
  })
}
