import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { demoData } from './data-directory.ts'
import { type Service, startService } from './service.ts'

type DemoFile = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string; readonly live: string }
  readonly people: Readonly<Record<string, { readonly email: string; readonly password: string }>>
  readonly ids: { readonly company: string }
}

const demoFile = async (data: string): Promise<DemoFile> => JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))

/** The demo reports this fact after all others, so a reader that finds it finds a complete demo. */
async function lastFact({ address }: Service, key: string): Promise<number> {
  const answer = await fetch(`${address}/platform/facts/demo-last`, { headers: { authorization: `Bearer ${key}` } })
  return answer.status
}

/** The test starts two services. If no other test file has created the demo, this test creates it first. */
const LONG = { timeout: 150_000 }

test('a start with the demo world prints how to use it, and the next start finds it unchanged', LONG, async () => {
  const data = await demoData()
  const environment = { PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' }
  const first = await startService(environment)
  const file = await demoFile(data)
  expect(file.base_url).toBe(first.address)
  // The printed text names the file, and the people with their passwords.
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
})
