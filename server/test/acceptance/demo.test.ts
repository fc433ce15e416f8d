import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { processEnvironment } from './process-environment.ts'
import { type Service, startService, temporaryDirectory } from './service.ts'

const ENTRY = fileURLToPath(new URL('../../src/main/main.ts', import.meta.url))

type DemoFile = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string; readonly live: string }
  readonly people: Readonly<Record<string, { readonly email: string; readonly password: string }>>
  readonly ids: { readonly company: string }
}

const demoFile = async (data: string): Promise<DemoFile> => JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))

/** The last fact is told when all others are, so whoever finds it finds the demo whole. */
async function lastFact({ address }: Service, key: string): Promise<number> {
  const answer = await fetch(`${address}/platform/facts/demo-last`, { headers: { authorization: `Bearer ${key}` } })
  return answer.status
}

/** What is logged at the beginning of each step of a start. */
const STEPS = [
  'starting PostgreSQL',
  'applying migrations',
  'making the demo world',
  'composing the service',
  'publishing the demo’s investments',
]

/** Seven starts, five of which are cut short. */
const LONG = { timeout: 240_000 }

test(
  'a first start killed with -9 in each of its steps is completed by the next, and the file says how to use the demo',
  LONG,
  async () => {
    const data = await temporaryDirectory()
    const environment = { PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' }
    for (const step of STEPS) await killedAt(step, environment)

    const first = await startService(environment)
    const file = await demoFile(data)
    expect(file.base_url).toBe(first.address)
    // The welcome names the file, and the people with their passwords.
    expect(first.output()).toMatch(new RegExp(`^ {2}Demo +${join(data, 'demo.json')}$`, 'm'))
    for (const { email, password } of Object.values(file.people)) {
      expect(first.output()).toMatch(new RegExp(`^ {2}${email} +${password}$`, 'm'))
    }
    expect(await lastFact(first, file.operator_keys.test)).toBe(200)
    expect(await lastFact(first, file.operator_keys.live)).toBe(404)
    const logo = await fetch(`${first.address}/assets/logos/${file.ids.company}.svg`)
    expect(logo.headers.get('content-type')).toBe('image/svg+xml')
    await first.end('SIGTERM')

    const second = await startService(environment)
    expect(await demoFile(data)).toEqual({ ...file, base_url: second.address })
    expect(await lastFact(second, file.operator_keys.test)).toBe(200)
  },
)

/** Killed as soon as it logs that a step begins. A start that no longer has the step runs until it is ready, and is killed then. */
async function killedAt(step: string, environment: Record<string, string>): Promise<void> {
  const env = { ...processEnvironment(), ...environment, LOG_LEVEL: 'debug' }
  const child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'pipe', 'ignore'] })
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
