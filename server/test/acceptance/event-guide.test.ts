import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openStream } from '#test/event-source.ts'
import { demoData } from './data-directory.ts'
import { type Client, type Credentials, connect } from './person.ts'
import { startService, temporaryDirectory } from './service.ts'
import { openShell } from './shell.ts'

type Demo = {
  readonly base_url: string
  readonly apps: readonly { readonly name: string; readonly keys: readonly Client[] }[]
  readonly people: Readonly<Record<'founder', Credentials & { readonly companies: readonly string[] }>>
}

const GUIDE = fileURLToPath(new URL('../../../docs/events.md', import.meta.url))

/** What the page at the printed address does, when the founder chooses the company. */
async function install({ base_url, apps, people: { founder } }: Demo): Promise<void> {
  const [client] = apps[0]?.keys ?? []
  if (client === undefined) throw new Error('the demo has no key')
  const { access_token } = await connect(base_url, founder, { client, scopes: ['write:installations'] })
  const answer = await fetch(`${base_url}/installations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ target_type: 'company', target_id: founder.companies[0] }),
  })
  expect(answer.status).toBe(201)
}

test('docs/events.md streams the demo’s events, continues from an id, and gets a final event when the service stops', async () => {
  const data = await demoData()
  const service = await startService({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' })
  const demo: Demo = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
  const directory = await temporaryDirectory()
  await mkdir(join(directory, '.portico'))
  await writeFile(join(directory, '.portico', 'demo.json'), JSON.stringify(demo))
  const guide = await readFile(GUIDE, 'utf8')
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const [showLink = '', watch = '', invest = '', goOn = '', list = ''] = commands
  expect(commands).toHaveLength(5)

  const [first, second, third] = [openShell(directory), openShell(directory), openShell(directory)]
  await first.type(showLink)
  expect(first.output()).toMatch(/\/install founder@portico\.example /)
  await install(demo)
  // It ends with the service, and not before.
  const watched = first.type(watch)
  await first.printed(/^id: \S+$/m)
  await second.type(invest)
  const [, lastId = '', event = ''] = await first.printed(
    /^id: (\S+)\ndata: \{"id":"(evt_\w+)","type":"event","attributes":\{"event":"investment\.created"/m,
  )

  await second.type(invest)
  const [settings] = watch.split('curl ', 1)
  await third.type(settings ?? '')
  const resumed = third.type(goOn.replace('BvN8…', lastId))
  await third.printed(/"event":"investment\.created"/)
  expect(third.output()).not.toContain(event)
  await second.type(`${settings}\nexport EVENT=${event}\n${list}`)
  expect(second.output()).toMatch(new RegExp(`"data":\\{"id":"${event}"`))

  const { client_id, client_secret } = demo.apps[0]?.keys[0] ?? {}
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  const stalled = await openStream(`${demo.base_url}/events/stream`, { headers: { authorization } })
  onTestFinished(() => stalled.close())
  stalled.pause()
  expect(await service.end('SIGTERM')).toBe(0)
  await Promise.all([watched, resumed])
  for (const shell of [first, third]) expect(shell.output()).toMatch(/event: end\ndata: \{"reason":"server_closing"\}/)
}, 180_000)
