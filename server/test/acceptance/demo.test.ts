import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { processEnvironment } from './process-environment.ts'
import { type Service, startService, temporaryDirectory } from './service.ts'

const ENTRY = fileURLToPath(new URL('../../src/main/main.ts', import.meta.url))

type DemoFile = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string; readonly live: string }
  readonly ids: { readonly company: string }
}

const demoFile = async (data: string): Promise<DemoFile> => JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))

/** The last fact is told when all others are, so whoever finds it finds the demo whole. */
async function lastFact({ address }: Service, key: string): Promise<number> {
  const answer = await fetch(`${address}/platform/facts/demo-last`, { headers: { authorization: `Bearer ${key}` } })
  return answer.status
}

test('a first start killed with -9 while it makes the demo world goes on at the next, and the file says how to use it', async () => {
  const data = await temporaryDirectory()
  const environment = { PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' }
  await killedHalfWay(environment)
  await expect(demoFile(data)).rejects.toThrow('ENOENT')

  const first = await startService(environment)
  const file = await demoFile(data)
  expect(file.base_url).toBe(first.address)
  expect(await lastFact(first, file.operator_keys.test)).toBe(200)
  expect(await lastFact(first, file.operator_keys.live)).toBe(404)
  const logo = await fetch(`${first.address}/assets/logos/${file.ids.company}.svg`)
  expect(logo.headers.get('content-type')).toBe('image/svg+xml')
  await first.end('SIGTERM')

  const second = await startService(environment)
  expect(await demoFile(data)).toEqual({ ...file, base_url: second.address })
  expect(await lastFact(second, file.operator_keys.test)).toBe(200)
})

/** The demo takes seconds and comes right after the migrations. */
async function killedHalfWay(environment: Record<string, string>): Promise<void> {
  const env = { ...processEnvironment(), ...environment, LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const exited = once(child, 'close')
  while (!output.includes('applying 0014') && child.exitCode === null) await sleep(20)
  await sleep(1_500)
  child.kill('SIGKILL')
  await exited
  expect(output).not.toContain('Portico is ready')
}
