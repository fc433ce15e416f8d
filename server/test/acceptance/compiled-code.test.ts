import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { processEnvironment } from './process-environment.ts'
import { START_WITHIN_MS, temporaryDirectory } from './service.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Starts the service as `npm start` does, and stops it once it is ready. At its exit Node caches the compiled code. */
async function startAndStop(environment: Readonly<Record<string, string>>): Promise<void> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const service = spawn('sh', ['-c', scripts.start], { cwd: ROOT, env: { ...processEnvironment(), ...environment } })
  const ended = once(service, 'close')
  onTestFinished(async () => {
    service.kill('SIGKILL')
    await ended
  })
  let output = ''
  const ready = new Promise<void>((resolve) => {
    for (const stream of [service.stdout, service.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk
        if (output.includes('"msg":"ready"')) resolve()
      })
    }
  })
  await Promise.race([ready, ended])
  service.kill('SIGTERM')
  expect(await ended, output).toEqual([0, null])
}

const cached = (directory: string) => new Set(readdirSync(directory, { recursive: true, encoding: 'utf8' }))

test(
  'the first npm start with the demo compiles almost nothing that npm ci has not compiled',
  async () => {
    const directory = await temporaryDirectory()
    const environment = {
      NODE_COMPILE_CACHE: join(directory, 'compiled'),
      PORT: '0',
      PORTICO_DATA: join(directory, 'data'),
    }
    const compiled = await promisify(execFile)('npm', ['run', 'compile:server'], {
      cwd: ROOT,
      env: { ...processEnvironment(), ...environment },
    })
    expect(compiled.stdout).toMatch(/Compiled the server \(\d+\.\d s\)\.\n$/)
    const before = cached(environment.NODE_COMPILE_CACHE)
    expect(before.size).toBeGreaterThan(1_000)

    await startAndStop(environment)
    const added = [...cached(environment.NODE_COMPILE_CACHE)].filter((name) => !before.has(name))
    expect(added.length).toBeLessThan(before.size / 50)
  },
  START_WITHIN_MS * 2,
)
