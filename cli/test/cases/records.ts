import type { Api } from '@portico/sdk'
import { expect, test } from 'vitest'
import { DeliveryFollower } from '../../src/commands/endpoints.ts'
import { redeliver } from '../../src/commands/events.ts'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { asServer, makeEndpoint } from '../support/endpoints.ts'
import { connectionIn, portico, projectFolder, startPortico } from '../support/portico.ts'
import { receiver } from '../support/receiver.ts'
import { onTerminal, steady } from '../support/terminal.ts'

const golden = (name: string) => `./golden/${name}.txt`

export function recordCases(demo: () => DemoFile): void {
  const json = async (...argv: string[]) => {
    const { code, stdout, stderr } = await portico([...argv, '--json'], { directory: await projectFolder(demo()) })
    expect([code, stderr.split('\n').length]).toEqual([0, 2])
    return JSON.parse(stdout)
  }

  /** Waits until no delivery of the endpoint is pending, then sends all its deliveries again. */
  async function replay(endpoint: string): Promise<void> {
    const call = asServer(demo())
    const path = `/webhook_endpoints/${endpoint}`
    await expect.poll(async () => (await call('GET', `${path}/deliveries?status=pending`)).data).toEqual([])
    await call('POST', `${path}/replay`, { since: '2000-01-01T00:00:00.000000Z' })
  }

  const eventOf = async (id = ''): Promise<Api.Event> => (await asServer(demo())('GET', `/events/${id}`)).data

  test('events list prints a table on a terminal, tab-separated lines in a pipe, and JSON with --json', async () => {
    const directory = await projectFolder(demo())
    await portico(['trigger', 'investment.canceled'], { directory })
    const argv = ['events', 'list', '--events', 'investment.canceled', '--limit', '1']
    const { code, shown } = await onTerminal(argv, { directory })
    await expect(`exit code ${code}\n${steady(shown)}`).toMatchFileSnapshot(golden('terminal-events-list'))
    const piped = await portico(argv, { directory })
    await expect(`exit code ${piped.code}\n${steady(piped.stdout)}---\n${piped.stderr}`).toMatchFileSnapshot(
      golden('pipe-events-list'),
    )
    const { data } = await json(...argv)
    const [event] = data
    expect(data).toEqual([
      { id: event.id, type: 'event', attributes: expect.objectContaining({ event: 'investment.canceled' }) },
    ])
    expect(await json('events', 'get', event.id)).toMatchObject({
      id: event.id,
      attributes: { payload: { id: event.id } },
    })
    const about = await json('events', 'list', '--subject', event.attributes.payload.data.id, '--since', '1h')
    const names = about.data.map(({ attributes }: { attributes: { event: string } }) => attributes.event)
    expect(names).toEqual(expect.arrayContaining(['investment.created', 'investment.canceled']))
  })

  test('events resend sends to the endpoint that received the event, or to the address of --forward-to', async () => {
    const directory = await projectFolder(demo())
    const [hook, own] = [await receiver(), await receiver()]
    await makeEndpoint(demo(), hook)
    const { steps } = await json('trigger', 'investment.created')
    const [id = ''] = steps.flatMap(({ events }: { events: { id: string; event: string }[] }) =>
      events.filter(({ event }) => event === 'investment.created').map((one) => one.id),
    )
    await expect.poll(() => hook.ids('investment.created')).toEqual([id])
    const resent = await portico(['events', 'resend', id], { directory })
    expect([resent.code, resent.stdout]).toEqual([0, 'investment.created is sent again: 1 delivery.\n'])
    await expect.poll(() => hook.ids('investment.created')).toEqual([id, id])
    const forwarded = await portico(['events', 'resend', id, '--forward-to', own.url], { directory })
    expect([forwarded.code, own.ids('investment.created')]).toEqual([0, [id]])
    const deliveries = await portico(['deliveries', 'tail', '--once', '--json'], { directory })
    const statuses = deliveries.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).attributes.event_id)
    expect(statuses.filter((event) => event === id)).toHaveLength(2)
  })

  test('deliveries tail shows each delivery of a burst between two polls, even if the burst exceeds --limit', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    const id = await makeEndpoint(demo(), hook)
    await portico(['trigger', 'investment.created', '--count', '4'], { directory })
    await expect.poll(() => hook.received.length).toBe(4)
    const tail = startPortico(['deliveries', 'tail', '--endpoint', id, '--limit', '1', '--json'], { directory })
    await expect.poll(() => tail.stderr()).toContain('Following')
    expect(tail.stdout().trim().split('\n')).toHaveLength(1)
    await replay(id)
    const repeated = () =>
      new Set(
        tail
          .stdout()
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
          .flatMap((row) => (row.attributes.redelivery_of === null ? [] : [row.id])),
      )
    await expect.poll(() => repeated().size).toBe(4)
    expect(tail.stderr()).not.toContain('only the newest')
  })

  test('deliveries tail shows the newest deliveries of a burst above its maximum, and names the endpoint', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    const id = await makeEndpoint(demo(), hook)
    const skipped: string[] = []
    const follower = new DeliveryFollower(await connectionIn(directory), {
      ...{ endpoint: id, limit: 1, max: 3 },
      onSkipped: (endpoint) => void skipped.push(endpoint),
    })
    await portico(['trigger', 'investment.created', '--count', '4'], { directory })
    await expect.poll(() => hook.received.length).toBe(4)
    expect([(await follower.read()).length, skipped]).toEqual([1, []])
    await replay(id)
    expect([(await follower.read()).length, skipped]).toEqual([3, [id]])
  })

  test('events resend says that it searched only the newest deliveries, if the event is not among them', async () => {
    const directory = await projectFolder(demo())
    const [hook, other] = [await receiver(), await receiver()]
    const endpoint = await makeEndpoint(demo(), hook)
    await portico(['trigger', 'investment.created', '--count', '3'], { directory })
    await expect.poll(() => hook.received.length).toBe(3)
    const [id] = hook.ids('investment.created')
    const event = await eventOf(id)
    const remarks: string[] = []
    const settings = { endpoint, onCut: (remark: string) => void remarks.push(remark) }
    const connection = await connectionIn(directory)
    await expect(redeliver(connection, event, { ...settings, max: 2 })).rejects.toMatchObject({
      message: `${event.id} is not among the newest 2 deliveries to ${endpoint}. Older deliveries were not searched.`,
      exit: 4,
    })
    expect(await redeliver(connection, event, { ...settings, max: 3 })).toMatchObject([{ endpoint }])
    expect(remarks).toEqual([])
    const unused = await makeEndpoint(demo(), other)
    const unsent = await portico(['events', 'resend', event.id, '--endpoint', unused], { directory })
    expect([unsent.code, unsent.stderr]).toEqual([4, expect.stringContaining('No webhook endpoint received')])
    await portico(['trigger', 'investment.created'], { directory })
    await expect.poll(() => other.received.length).toBe(1)
    const newest = await eventOf(other.ids('investment.created')[0])
    await replay(endpoint)
    await redeliver(connection, newest, { ...settings, endpoint: undefined, max: 1 })
    expect(remarks).toEqual([expect.stringContaining(`Only the newest 1 deliveries to ${endpoint} were searched.`)])
  })

  test('events resend says that it searched only the newest deliveries, even if the event is among them', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    const endpoint = await makeEndpoint(demo(), hook)
    for (const count of [1, 2]) {
      await portico(['trigger', 'investment.created'], { directory })
      await expect.poll(() => hook.received.length).toBe(count)
    }
    const connection = await connectionIn(directory)
    const event = await eventOf(hook.ids('investment.created')[1])
    const remarks: string[] = []
    const settings = { endpoint, onCut: (remark: string) => void remarks.push(remark) }
    expect(await redeliver(connection, event, { ...settings, max: 1 })).toHaveLength(1)
    const remark = `Only the newest 1 deliveries to ${endpoint} were searched. Older deliveries of this event were not sent again.`
    expect(remarks).toEqual([remark])
    await expect.poll(() => hook.received.length).toBe(3)
    // Of the newest two deliveries, the second is older than this event. So the search is complete.
    await portico(['trigger', 'investment.created'], { directory })
    await expect.poll(() => hook.received.length).toBe(4)
    const newest = await eventOf(hook.ids('investment.created')[3])
    expect(await redeliver(connection, newest, { ...settings, max: 2 })).toHaveLength(1)
    expect(remarks).toEqual([remark])
  })

  test('endpoints creates, lists, tests and deletes an endpoint', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    const endpoint = await json('endpoints', 'create', hook.url, '--events', 'investment.*')
    expect(endpoint.attributes).toMatchObject({
      url: hook.url,
      events: ['investment.*'],
      secret: expect.stringMatching(/^whsec_/),
    })
    const { shown } = await onTerminal(['endpoints', 'list'], { directory })
    expect(shown).toContain(endpoint.id)
    const tested = await portico(['endpoints', 'test', endpoint.id], { directory })
    expect([tested.code, tested.stdout]).toEqual([0, 'Delivered: the endpoint answered 204.\n'])
    hook.answer(500)
    expect((await portico(['endpoints', 'test', endpoint.id], { directory })).code).toBe(1)
    expect(await json('endpoints', 'delete', endpoint.id)).toMatchObject({ id: endpoint.id, removed: true })
    const afterDelete = await portico(['endpoints', 'test', endpoint.id], { directory })
    expect([afterDelete.code, afterDelete.stderr]).toEqual([4, expect.stringMatching(/^error: .*\.\nrequest req_/m)])
  })

  test('installations shows installations, and clock advance moves the clock of the sandbox', async () => {
    const { data } = await json('installations')
    const [first] = data
    expect(await json('installations', first.id)).toMatchObject({ id: first.id, scopes: expect.any(Array) })
    expect(await json('clock')).toMatchObject({ now: expect.any(String), ahead_seconds: expect.any(Number) })
    const before = await json('clock')
    expect((await json('clock', 'advance', 'PT1S')).ahead_seconds).toBe(before.ahead_seconds + 1)
    const directory = await projectFolder(demo())
    const live = await portico(['clock', '--mode', 'live'], { directory })
    expect([live.code, live.stderr]).toEqual([2, expect.stringContaining('Only the sandbox has a clock of its own.')])
    const wrong = await portico(['clock', 'advance', 'P1M'], { directory })
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('advance must be a duration')])
  })

  test('a command with a secret of an earlier demo ends with exit code 3 and prints a remedy', async () => {
    const { apps, ...rest } = demo()
    const stale = apps.map((app) => ({
      ...app,
      keys: app.keys.map((key) => ({ ...key, client_secret: 'sk_test_old' })),
    }))
    const directory = await projectFolder({ ...rest, apps: stale })
    const { code, stderr } = await portico(['events', 'list'], { directory })
    expect([code, stderr]).toEqual([3, expect.stringContaining('The demo has new keys. Run npm start again')])
  })
}
