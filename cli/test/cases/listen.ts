import { readdir, readFile, writeFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { makeEndpoint, redeliver } from '../support/endpoints.ts'
import { portico, projectFolder, type Running, startPortico } from '../support/portico.ts'
import { proxyTo } from '../support/proxy.ts'
import { receiver } from '../support/receiver.ts'

/** Starts `portico listen` and waits until it reads the stream. */
async function startListening(directory: string, argv: readonly string[]): Promise<Running> {
  const running = startPortico(['listen', ...argv], { directory })
  await expect.poll(() => running.stderr(), { message: 'listen is ready' }).toMatch(/^Ready\./m)
  return running
}

async function trigger(directory: string, event = 'investment.created', count = 1): Promise<readonly string[]> {
  const { code, stdout, stderr } = await portico(['trigger', event, '--count', String(count), '--json'], { directory })
  expect([code, stderr]).toEqual([0, expect.stringContaining('Not logged in: using the demo')])
  const { steps } = JSON.parse(stdout) as { steps: { events: { id: string; event: string }[] }[] }
  return steps.flatMap(({ events }) => events.filter((one) => one.event === event)).map(({ id }) => id)
}

const killAndWait = async ({ child, ended }: Running) => {
  child.kill('SIGKILL')
  await ended
}

export function listenCases(demo: () => DemoFile): void {
  test('forwards a triggered event as a webhook that standardwebhooks verifies with the printed secret', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    const running = await startListening(directory, ['--forward-to', hook.url])
    await expect.poll(() => running.stderr()).toMatch(/whsec_\S+\n/)
    const [secret = ''] = /whsec_\S+/.exec(running.stderr()) ?? []
    const [id = ''] = await trigger(directory)
    await expect.poll(() => hook.ids('investment.created')).toEqual([id])
    for (const { headers, body } of hook.received) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ mode: 'test' })
      expect(headers['wefunder-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
      expect(headers['webhook-id']).toMatch(/^dlv_/)
    }
    await expect
      .poll(() => running.stdout())
      .toMatch(new RegExp(`investment.created  ${id}  → 204 in \\d+ ms  .* after it happened`))
    expect(running.stderr()).toContain(
      'Not logged in: using the demo in .portico/demo.json as the app Fieldbook CRM, test.',
    )
  })

  test('after kill -9, the next start forwards the five events that happened meanwhile, each once', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    await killAndWait(await startListening(directory, ['--forward-to', hook.url, '--events', 'investment.created']))
    const ids = await trigger(directory, 'investment.created', 5)
    expect(ids).toHaveLength(5)
    const restarted = await startListening(directory, ['--forward-to', hook.url, '--events', 'investment.created'])
    // A line is printed after the place is stored. If the process were killed earlier, the next process would send the
    // last event again.
    await expect.poll(() => restarted.stdout()).toContain(ids[4])
    expect(hook.ids('investment.created')).toEqual(ids)
    await killAndWait(restarted)
    const last = await trigger(directory)
    await startListening(directory, ['--forward-to', hook.url, '--events', 'investment.created'])
    await expect.poll(() => hook.ids('investment.created')).toEqual([...ids, ...last])
  })

  test('forwards every redelivery of an event', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    const endpoint = await makeEndpoint(demo(), await receiver())
    const running = await startListening(directory, ['--forward-to', hook.url, '--events', 'investment.created'])
    const [id = ''] = await trigger(directory)
    await expect.poll(() => hook.ids('investment.created')).toEqual([id])
    await redeliver(demo(), endpoint, id)
    await redeliver(demo(), endpoint, id)
    await expect.poll(() => hook.ids('investment.created')).toEqual([id, id, id])
    await expect.poll(() => running.stdout().match(/\(resent\)/g)).toHaveLength(2)
    // Each of the three requests has its own webhook-id, so a receiver that deduplicates by this id accepts all of them.
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  })

  test('loses no event when the connection breaks and is opened again', async () => {
    const proxy = await proxyTo(demo().base_url)
    const directory = await projectFolder({ ...demo(), base_url: proxy.url })
    const otherDirectory = await projectFolder(demo())
    const hook = await receiver()
    const running = await startListening(directory, ['--forward-to', hook.url, '--events', 'investment.created'])
    const ids: string[] = []
    for (let round = 1; round <= 2; round++) {
      proxy.breakAll()
      ids.push(...(await trigger(otherDirectory)))
      await expect.poll(() => running.stderr().match(/^Connected again/gm)?.length ?? 0).toBe(round)
    }
    await expect.poll(() => hook.ids('investment.created')).toEqual(ids)
    expect(running.stderr().match(/^Connection lost: .*; nothing is lost\.$/gm)).toHaveLength(2)
  })

  test('forwards an event once, even if several endpoints get it', async () => {
    const directory = await projectFolder(demo())
    const [hook, ...endpoints] = [await receiver(), await receiver(), await receiver()]
    for (const endpoint of endpoints) await makeEndpoint(demo(), endpoint)
    await startListening(directory, ['--forward-to', hook.url, '--events', 'investment.created'])
    const ids = await trigger(directory, 'investment.created', 2)
    for (const endpoint of endpoints) await expect.poll(() => endpoint.ids('investment.created')).toHaveLength(2)
    const [last = ''] = await trigger(directory)
    // The receiver got the next event directly after the first two, so there was no duplicate.
    await expect.poll(() => hook.ids('investment.created')).toEqual([...ids, last])
  })

  test('reports a lost connection, and after Ctrl-C says that the command has stopped', async () => {
    const proxy = await proxyTo(demo().base_url)
    const directory = await projectFolder({ ...demo(), base_url: proxy.url })
    const running = await startListening(directory, [])
    proxy.breakAll()
    await expect.poll(() => running.stderr()).toMatch(/Connection lost: .*Connecting again in [\d.]+ s/)
    await expect.poll(() => running.stderr()).toMatch(/Connected again/)
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Stopped. The next start continues'),
    })
  })

  test('while the receiver is down, events wait in order', async () => {
    const directory = await projectFolder(demo())
    const down = await receiver()
    await down.close()
    const running = await startListening(directory, ['--forward-to', down.url, '--events', 'investment.created'])
    const ids = await trigger(directory, 'investment.created', 2)
    await expect.poll(() => running.stderr()).toContain('(connection refused). Events wait until it does.')
    const up = await receiver(Number(new URL(down.url).port))
    await expect.poll(() => up.ids('investment.created')).toEqual(ids)
    await expect.poll(() => running.stderr()).toContain('answers again')
  })

  test('two addresses in one folder each get every event, and a second listener for the same address is an error', async () => {
    const directory = await projectFolder(demo())
    const [one, two] = [await receiver(), await receiver()]
    await startListening(directory, ['--forward-to', one.url, '--events', 'investment.created'])
    await startListening(directory, ['--forward-to', two.url, '--events', 'investment.created'])
    const second = await portico(['listen', '--forward-to', one.url], { directory })
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('portico listen already runs in this folder'),
    })
    const ids = await trigger(directory)
    for (const hook of [one, two]) await expect.poll(() => hook.ids('investment.created')).toEqual(ids)
  })

  test('shows a 500 of the receiver, and continues with the next event', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    hook.answer(500)
    const running = await startListening(directory, ['--forward-to', hook.url, '--events', 'investment.created'])
    const ids = await trigger(directory, 'investment.created', 2)
    await expect.poll(() => hook.ids('investment.created')).toEqual(ids)
    await expect.poll(() => running.stdout().match(/→ 500/g)).toHaveLength(2)
  })

  test('reports a stored place that the service does not accept, and begins with the next event', async () => {
    const directory = await projectFolder(demo())
    const first = await startListening(directory, [])
    await killAndWait(first)
    const [file = ''] = (await readdir(`${directory}/.portico/listen`)).filter((name) =>
      /^[0-9a-f]{16}\.json$/.test(name),
    )
    const path = `${directory}/.portico/listen/${file}`
    const place = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify({ ...place, last_event_id: 'not-one-of-ours' }))
    const restarted = await startListening(directory, [])
    expect(restarted.stderr()).toContain('The stored place is no longer valid')
    const [id] = await trigger(directory)
    await expect.poll(() => restarted.stdout()).toContain(`investment.created  ${id}`)
  })

  test('after an unknown name in --events, the stored place stays, and the next start forwards what happened meanwhile', async () => {
    const directory = await projectFolder(demo())
    const hook = await receiver()
    const argv = ['--forward-to', hook.url, '--events', 'investment.created']
    await killAndWait(await startListening(directory, argv))
    const ids = await trigger(directory)
    const rejected = await portico(['listen', ...argv.with(3, 'investment.craeted')], { directory })
    expect([rejected.code, rejected.stderr]).toEqual([1, expect.stringMatching(/^error: The query cannot be read: /m)])
    expect(rejected.stderr).not.toContain('no longer valid')
    await startListening(directory, argv)
    await expect.poll(() => hook.ids('investment.created')).toEqual(ids)
  })

  test('--print json prints bodies, --json prints everything as JSON', async () => {
    const directory = await projectFolder(demo())
    const bodies = await startListening(directory, ['--print', 'json', '--events', 'investment.created'])
    const other = await projectFolder(demo())
    const lines = startPortico(['listen', '--json', '--events', 'investment.created'], { directory: other })
    await expect.poll(() => lines.stdout()).toContain('"type":"ready"')
    const [id] = await trigger(directory)
    await expect.poll(() => bodies.stdout()).toContain('\n')
    expect(JSON.parse(bodies.stdout())).toMatchObject({ id, event: 'investment.created', data: {} })
    await expect.poll(() => lines.stdout()).toContain('"type":"event"')
    const [ready, event] = lines
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(ready).toMatchObject({ type: 'ready', resumed: false, forward_to: null, signing_secret: /^whsec_/ })
    expect(event).toMatchObject({
      type: 'event',
      id,
      event: 'investment.created',
      forwarded: null,
      redelivery_of: null,
    })
  })
}
