import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operatorKey, runCommand } from './command.ts'
import { usedData } from './data-directory.ts'
import { eventsOf, type Fact, send } from './feed-client.ts'
import { startService, temporaryDirectory } from './service.ts'

/** Tests docs/platform-feed.md against a real process. */

const DOCUMENT = readFileSync(new URL('../../../docs/platform-feed.md', import.meta.url), 'utf8')
const WORLDS = ['test', 'live'] as const

function factsIn(markdown: string): Fact[] {
  const blocks = [...markdown.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text)
  return blocks
    .flatMap((text) => (text.startsWith('{"') ? text.trim().split('\n') : [text]))
    .map((text) => JSON.parse(text))
}
const chapter = (from: string, to: string) => DOCUMENT.slice(DOCUMENT.indexOf(from), DOCUMENT.indexOf(to))
const LIFE = factsIn(chapter('## The life of an investment', '# Catalogue of facts'))
const EXAMPLES = factsIn(chapter('# Catalogue of facts', '<!-- End of the catalogue. -->'))

const environmentAt = (data: string) => ({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn' })

describe('npm run operator-key', () => {
  test('creates keys while the service is stopped or running, lists them without secrets, and revokes them at once', async () => {
    // The key is created before the first start, so the command creates the database.
    const environment = environmentAt(await temporaryDirectory())
    const before = await operatorKey(environment, 'test')
    const service = await startService(environment)
    const beside = await operatorKey(environment, 'live')
    expect(await send(service, before, [])).toEqual([])
    expect(await send(service, beside, [])).toEqual([])

    const listed = await runCommand('operator-key', environment, ['list'])
    expect(listed.stdout).not.toContain(before)
    const id = /^(opk_\w+) +test/m.exec(listed.stdout)?.[1] ?? ''
    expect(await runCommand('operator-key', environment, ['revoke', id])).toMatchObject({ code: 0 })
    await expect(send(service, before, [])).rejects.toThrow('401')
    expect(await send(service, beside, [])).toEqual([])
    expect(await runCommand('operator-key', environment, ['revoke', id])).toMatchObject({ code: 1 })
  })

  test('with an unknown world, ends with exit code 2, prints the usage and creates no database', async () => {
    const data = join(await temporaryDirectory(), 'data')
    const result = await runCommand('operator-key', environmentAt(data), ['create', '--world', 'moon', '--name', 'x'])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('npm run operator-key -- create')
    expect(existsSync(data)).toBe(false)
  })
})

describe('docs/platform-feed.md', () => {
  test('the service applies every example, sent in order to an empty world, in both worlds', async () => {
    const environment = environmentAt(await usedData())
    const service = await startService(environment)
    expect(EXAMPLES.length).toBeGreaterThan(50)
    for (const world of WORLDS) {
      const outcomes = await send(service, await operatorKey(environment, world), EXAMPLES)
      expect(outcomes.filter(({ status }) => status !== 'applied')).toEqual([])
    }
  })

  test('a script that uses only this page plays an investment from reservation to execution, and reads its events', async () => {
    const environment = environmentAt(await usedData())
    const service = await startService(environment)
    for (const world of WORLDS) {
      const key = await operatorKey(environment, world)
      const outcomes = await send(service, key, LIFE)
      expect(outcomes.filter(({ status }) => status !== 'applied')).toEqual([])
      const events = (await Promise.all(LIFE.map(({ id }) => eventsOf(service, key, id)))).flat()
      expect(new Set(events.map(({ mode }) => mode))).toEqual(new Set([world]))
      expect(events.map(({ event, data }) => `${event} ${data['status']}`)).toEqual([
        'offering.opened open',
        'investment.created reserved',
        'investment.amount_changed reserved',
        'offering.opened open',
        'investment.created active',
        'investment.converted converted',
        'investment.canceled canceled',
        'investment.reinstated active',
        'offering.closing closing',
        'investment.executed executed',
        'offering.closed closed',
      ])
      const [reserved, changed] = events.slice(1)
      expect(reserved?.data).toMatchObject({ amounts: { committed: 250 }, investor: { name: 'Sofia Kovalevskaya' } })
      expect(changed?.data).toMatchObject({ amounts: { committed: 500 }, previous_amounts: { committed: 250 } })
      const executed = events.find(({ event }) => event === 'investment.executed')
      expect(executed?.data).not.toHaveProperty('occurred_at')
      expect(executed?.data).toMatchObject({
        investor_totals: { active_investment_count: 1, total_committed: 500, investor_status: 'active' },
      })
    }
  })
})
