import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { portico, startPortico } from '../../../../cli/test/support/portico.ts'
import { operatorKey } from '../../acceptance/command.ts'
import { usedData } from '../../acceptance/data-directory.ts'
import { eventsOf, type Fact, send, stateOf, story } from '../../acceptance/feed-client.ts'
import { type Service, startService, temporaryDirectory } from '../../acceptance/service.ts'
import { proofRun } from '../long-proof.ts'

/** The proof starts the service several times, on a machine that runs other tests at the same time. */
const LONG = { timeout: 240_000 }

let environment: Record<string, string>
beforeEach(async () => {
  environment = { PORT: '0', PORTICO_DATA: await usedData(), LOG_LEVEL: 'warn' }
})

function killPostgres(data: string): void {
  const file = readFileSync(join(data, 'postgres/cluster/postmaster.pid'), 'utf8')
  process.kill(Number(file.split('\n')[0]), 'SIGKILL')
}

/**
 * Sends batch after batch. For each of the first `kills` batches, the service is killed during the request and started
 * again, and the batch is sent again.
 */
async function sendWhileKilling(key: string, batches: readonly Fact[][], kills: number): Promise<Service> {
  let service = await startService(environment)
  for (const [at, batch] of batches.entries()) {
    if (at < kills) {
      const cutOff = send(service, key, batch).catch(() => {})
      // The kill may happen before the first fact is applied, after the last, or at any time between.
      await wait((at * 37) % 150)
      await service.end('SIGKILL')
      if (at % 2 === 1) killPostgres(environment['PORTICO_DATA'] ?? '')
      await cutOff
      service = await startService(environment)
    }
    await send(service, key, batch)
  }
  return service
}

describe('killing the server at any moment', () => {
  test('with or without its database, and sending the facts again, ends as if there was no kill', LONG, async () => {
    const facts = story(60)
    const batches = Array.from({ length: 7 }, (_, n) => facts.filter((_fact, at) => Math.floor(at / 35) === n))
    expect(batches.flat()).toEqual(facts)
    const [test, live] = [await operatorKey(environment, 'test'), await operatorKey(environment, 'live')]
    const service = await sendWhileKilling(test, batches, proofRun().isShort ? 2 : 6)
    for (const batch of batches) await send(service, live, batch)
    expect(await stateOf(service, test, facts)).toEqual(await stateOf(service, live, facts))
    const again = await Promise.all(batches.map((batch) => send(service, test, batch)))
    expect(new Set(again.flat().map(({ status }) => status))).toEqual(new Set(['duplicate']))
  })
})

describe('portico import', () => {
  test(
    'that is killed in the middle and run again has the same result as an import that was never killed',
    LONG,
    async () => {
      const facts = story(300)
      const directory = await temporaryDirectory()
      const file = join(directory, 'facts.ndjson')
      await writeFile(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''))
      const service = await startService(environment)
      const [key, live] = [await operatorKey(environment, 'test'), await operatorKey(environment, 'live')]
      const using = (PORTICO_OPERATOR_KEY: string) => ({
        directory,
        environment: { PORTICO_OPERATOR_KEY, PORTICO_BASE_URL: service.address },
      })
      const first = startPortico(['import', file], using(key))
      const middle = facts[650]?.id ?? ''
      while (!(await isApplied(service, key, middle))) await wait(20)
      first.child.kill('SIGKILL')
      expect(await first.ended).toMatchObject({ code: 'SIGKILL' })
      expect(await isApplied(service, key, facts.at(-1)?.id ?? '')).toBe(false)

      const second = await portico(['import', file], using(key))
      expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('0 refused') })
      expect(second.stderr).toMatch(/Continued after line [\d,]+, where an earlier run had stopped\./)

      expect(await portico(['import', file, '--mode', 'live'], using(live))).toMatchObject({ code: 0 })
      const some = facts.filter((_, n) => n % 25 === 0 || n > facts.length - 10)
      expect(await stateOf(service, key, some)).toEqual(await stateOf(service, live, some))
    },
  )
})

async function isApplied(service: Service, key: string, fact: string): Promise<boolean> {
  return eventsOf(service, key, fact).then(
    () => true,
    () => false,
  )
}
