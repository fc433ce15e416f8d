import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtProgram } from '#test/built-server.ts'
import { processEnvironment } from '../../acceptance/process-environment.ts'
import { startService, temporaryDirectory } from '../../acceptance/service.ts'
import { proofRun } from '../long-proof.ts'

/** The log message at the start of each step. */
const STEPS = [
  'starting PostgreSQL',
  'applying migrations',
  'making the demo world',
  'composing the service',
  'publishing the demo’s investments',
]

/** The long form starts the demo six times, and kills five of the starts. The short form kills two of three starts. */
const LONG = { timeout: 240_000 }

test(
  'first starts of the demo are killed (SIGKILL), each in a later step, and the next start completes the demo',
  LONG,
  async () => {
    const data = await temporaryDirectory()
    const environment = { PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' }
    const steps = proofRun().isShort ? STEPS.slice(1, 3) : STEPS
    for (const step of steps) await killedAt(step, environment)

    const { address } = await startService(environment)
    const { operator_keys } = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
    const headers = { authorization: `Bearer ${operator_keys.test}` }
    // The last fact is applied after all others, so the demo is complete if this fact is applied.
    expect((await fetch(`${address}/platform/facts/demo-last`, { headers })).status).toBe(200)
  },
)

/**
 * Starts the demo, and kills it as soon as it logs the start of a step. A start that never logs the step is killed when
 * it is ready, and the test fails.
 */
async function killedAt(step: string, environment: Record<string, string>): Promise<void> {
  const env = { ...processEnvironment(), ...environment, LOG_LEVEL: 'debug' }
  const child = spawn(process.execPath, [await builtProgram('main')], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
    if (output.includes(`"${step}"`) || output.includes('Portico is ready')) child.kill('SIGKILL')
  })
  await once(child, 'close')
  expect(output).toContain(`"${step}"`)
  expect(output).not.toContain('Portico is ready')
}
