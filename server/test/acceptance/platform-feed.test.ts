import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { operatorKey, runCommand, startCommand } from './command.ts'
import { usedData } from './data-directory.ts'
import { type Service, startService, temporaryDirectory } from './service.ts'

/** Knows of the feed what docs/platform-feed.md says, and speaks to a real process. */

const DOCUMENT = readFileSync(new URL('../../../docs/platform-feed.md', import.meta.url), 'utf8')
const WORLDS = ['test', 'live'] as const

type Fact = { readonly id: string; readonly type: string; readonly occurred_at: string; readonly data: object }
type Outcome = { readonly id: string; readonly status: string; readonly events: { id: string; event: string }[] }
type Event = { readonly event: string; readonly mode: string; readonly data: Record<string, unknown> }

function factsIn(markdown: string): Fact[] {
  const blocks = [...markdown.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text)
  return blocks
    .flatMap((text) => (text.startsWith('{"') ? text.trim().split('\n') : [text]))
    .map((text) => JSON.parse(text))
}
const chapter = (from: string, to: string) => DOCUMENT.slice(DOCUMENT.indexOf(from), DOCUMENT.indexOf(to))
const LIFE = factsIn(chapter('## The life of an investment', '# Catalogue of facts'))
const EXAMPLES = factsIn(chapter('# Catalogue of facts', '<!-- End of the catalogue. -->'))

let environment: Record<string, string>
beforeEach(async () => {
  environment = { PORT: '0', PORTICO_DATA: await usedData(), LOG_LEVEL: 'warn' }
})

async function send(service: Service, key: string, facts: readonly Fact[]): Promise<Outcome[]> {
  const response = await fetch(`${service.address}/platform/facts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(facts),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return (JSON.parse(text) as { data: Outcome[] }).data
}

async function eventsOf(service: Service, key: string, id: string): Promise<Event[]> {
  const response = await fetch(`${service.address}/platform/facts/${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (response.status !== 200) throw new Error(`${id}: ${response.status}`)
  return ((await response.json()) as { data: { events: Event[] } }).data.events
}

describe('npm run operator-key', () => {
  test('makes a key with the service stopped and beside it, lists them without it, and revokes at once', async () => {
    // The key comes before any start: the command makes the database itself.
    environment['PORTICO_DATA'] = await temporaryDirectory()
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

  test.each([[['create', '--world', 'moon', '--name', 'x']], [['create', '--world', 'test']], [['revoke', 'x']], [[]]])(
    '%j: exit code 2 and how it is meant',
    async (argv) => {
      const result = await runCommand('operator-key', environment, argv)
      expect(result).toMatchObject({ code: 2, stdout: '' })
      expect(result.stderr).toContain('npm run operator-key -- create')
    },
  )
})

describe('docs/platform-feed.md', () => {
  test('every example is applied when sent in order to an empty world, in both worlds', async () => {
    const service = await startService(environment)
    expect(EXAMPLES.length).toBeGreaterThan(50)
    for (const world of WORLDS) {
      const outcomes = await send(service, await operatorKey(environment, world), EXAMPLES)
      expect(outcomes.filter(({ status }) => status !== 'applied')).toEqual([])
    }
  })

  test('a script that knows only it plays an investment from reservation to execution, and reads its events', async () => {
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

/** Ids of our form that differ from fact to fact. */
const id = (prefix: string, number: number) => `${prefix}0Story${String(number).padStart(18, '0')}`

/** Investors who commit, change their minds and pay: facts that build on each other, each with its time. */
function story(investors: number): Fact[] {
  const [company, offering] = [id('co_', 1), id('ofr_', 1)]
  const told: [string, object][] = [
    ['company.created', { id: company, name: 'Noether Ltd', page_url: 'https://platform.example.org/noether' }],
    [
      'offering.created',
      { id: offering, company, currency: 'usd', exemption: 'reg_cf', security: { type: 'safe', terms: {} } },
    ],
    ['offering.opened', { id: offering }],
    ...Array.from({ length: investors }, (_, n): [string, object][] => {
      const [user, investment] = [id('usr_', n), id('inv_', n)]
      return [
        ['user.registered', { id: user, name: `Investor ${n}`, email: `investor-${n}@example.com` }],
        ['investment.created', { id: investment, offering, investor: user, amount_cents: 10_000, currency: 'usd' }],
        ['investment.amount_changed', { id: investment, amount_cents: 20_000 + n * 100 }],
        n % 3 === 0
          ? ['investment.canceled', { id: investment }]
          : ['investment.payment_received', { id: investment, in_escrow_cents: 10_000 }],
      ]
    }).flat(),
  ]
  return told.map(([type, data], n) => {
    const occurred_at = new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
    return { id: `story-${n}`, type, occurred_at, data }
  })
}

/** All that the facts led to: every event, but for its own id and the moment it was recorded. */
async function stateOf(service: Service, key: string, facts: readonly Fact[]) {
  const state: unknown[] = []
  for (const fact of facts) {
    const events = await eventsOf(service, key, fact.id)
    state.push([fact.id, ...events.map(({ event, data }) => ({ event, data }))])
  }
  return state
}

function killPostgres(data: string): void {
  const file = readFileSync(join(data, 'postgres/cluster/postmaster.pid'), 'utf8')
  process.kill(Number(file.split('\n')[0]), 'SIGKILL')
}

/** Sends batch after batch, each again until it is answered; `kills` of them are killed before they can be. */
async function sendWhileKilling(key: string, batches: readonly Fact[][], kills: number): Promise<Service> {
  let service = await startService(environment)
  for (const [at, batch] of batches.entries()) {
    if (at < kills) {
      const cutOff = send(service, key, batch).catch(() => {})
      // From before the first fact is applied until after the last.
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
  test('with its database or without, and sending the same facts again, ends in the same state', async () => {
    const facts = story(60)
    const batches = Array.from({ length: 7 }, (_, n) => facts.filter((_fact, at) => Math.floor(at / 35) === n))
    expect(batches.flat()).toEqual(facts)
    const [test, live] = [await operatorKey(environment, 'test'), await operatorKey(environment, 'live')]
    const service = await sendWhileKilling(test, batches, 4)
    for (const batch of batches) await send(service, live, batch)
    expect(await stateOf(service, test, facts)).toEqual(await stateOf(service, live, facts))
    const again = await Promise.all(batches.map((batch) => send(service, test, batch)))
    expect(new Set(again.flat().map(({ status }) => status))).toEqual(new Set(['duplicate']))
  })
})

describe('npm run import', () => {
  test('killed in the middle and run again ends as if it had never been killed', async () => {
    const facts = story(300)
    const file = join(await temporaryDirectory(), 'facts.ndjson')
    await writeFile(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''))
    const service = await startService(environment)
    const key = await operatorKey(environment, 'test')
    const first = startCommand('import', environment, [file])
    const middle = facts[650]?.id ?? ''
    while (!(await isApplied(service, key, middle))) await wait(20)
    first.child.kill('SIGKILL')
    expect(await first.ended).toMatchObject({ code: 'SIGKILL' })
    expect(await isApplied(service, key, facts.at(-1)?.id ?? '')).toBe(false)

    const second = await runCommand('import', environment, [file])
    expect(second).toMatchObject({ code: 0 })
    expect(second.stderr).toMatch(/Went on after line [\d,]+, where an earlier run had stopped\./)
    expect(second.stderr).toContain('0 refused')

    expect(await runCommand('import', environment, [file, '--world', 'live'])).toMatchObject({ code: 0 })
    const some = facts.filter((_, n) => n % 25 === 0 || n > facts.length - 10)
    const live = await operatorKey(environment, 'live')
    expect(await stateOf(service, key, some)).toEqual(await stateOf(service, live, some))
  })

  test('exit code 1 and a file of what was refused, without a running service', async () => {
    // Nor was there ever one here: the command makes the database itself.
    environment['PORTICO_DATA'] = await temporaryDirectory()
    const file = join(await temporaryDirectory(), 'facts.ndjson')
    const [first, ...rest] = story(1)
    await writeFile(file, [JSON.stringify(first), 'not json', JSON.stringify(rest[2])].join('\n'))
    const result = await runCommand('import', environment, [file])
    expect(result).toMatchObject({ code: 1 })
    expect(result.stderr).toContain('2 applied, 0 already there, 1 refused')
    const refused = JSON.parse(readFileSync(`${file}.refused.ndjson`, 'utf8'))
    expect(refused).toMatchObject({ line: 2, error: { type: 'invalid_fact' }, text: 'not json' })
  })

  test.each([[[]], [['a', 'b']], [['/nowhere/facts.ndjson']], [['x', '--world', 'moon']]])(
    '%j: exit code 2',
    async (argv) => {
      expect(await runCommand('import', environment, argv)).toMatchObject({ code: 2 })
    },
  )
})

async function isApplied(service: Service, key: string, fact: string): Promise<boolean> {
  return eventsOf(service, key, fact).then(
    () => true,
    () => false,
  )
}
