import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type MailServer, mailServer } from '#test/mail-server.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { demoData } from './data-directory.ts'
import { readDemo } from './demo-service.ts'
import { type Client, type Credentials, connect } from './person.ts'
import { startService } from './service.ts'

/** Tests docs/mail.md against a real process and a real mail server. */

type Demo = {
  readonly base_url: string
  readonly operator_keys: Readonly<Record<'test' | 'live', string>>
  readonly apps: readonly { readonly id: string; readonly keys: readonly (Client & { readonly mode: string })[] }[]
  readonly people: Readonly<Record<'founder' | 'developer' | 'manager', Credentials>>
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const opened = new AsyncDisposableStack()
let mails: MailServer
let demo: Demo
let team: string
beforeAll(async () => {
  mails = await mailServer()
  opened.defer(() => mails.close())
  const afterwards = (work: () => Promise<void>) => void opened.defer(work)
  const data = await demoData(afterwards)
  const logo = join(data, 'logo.png')
  await writeFile(logo, Buffer.from(PIXEL, 'base64'))
  await startService(
    {
      ...{ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' },
      ...{ PORTICO_SMTP_URL: mails.url, PORTICO_MAIL_FROM: 'Harbor & Vine <no-reply@platform.example>' },
      ...{
        PORTICO_PLATFORM_NAME: 'Harbor & Vine',
        PORTICO_LOGO: logo,
        PORTICO_SUPPORT_URL: 'https://vine.example/help',
      },
    },
    [],
    afterwards,
  )
  demo = await readDemo(data)
  team = demo.people.developer.email
})
afterAll(() => opened.disposeAsync())

async function post(path: string, authorization: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(demo.base_url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([200, 201], await answer.clone().text()).toContain(answer.status)
  return ((await answer.json()) as { data: Readonly<Record<string, unknown>> }).data
}

const demoApp = () => {
  const [app] = demo.apps
  const key = app?.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)
  if (app === undefined || key === undefined) throw new Error('the demo has no such app')
  return { id: app.id, key }
}

describe('a notice reaches the team by SMTP', () => {
  test('when an endpoint answers 410 and is disabled', async () => {
    const { key } = demoApp()
    const hook = await webhookReceiver()
    onTestFinished(() => hook.close())
    hook.answerWith(() => 410)
    const founder = await connect(demo.base_url, demo.people.founder, { client: key, scopes: ['write:installations'] })
    const bearer = `Bearer ${founder.access_token}`
    const eligible = await fetch(`${demo.base_url}/installations/eligible?target_type=company`, {
      headers: { authorization: bearer },
    })
    const [target] = ((await eligible.json()) as { data: { id: string }[] }).data
    const installed = await post('/installations', bearer, { target_type: 'company', target_id: target?.id })
    const basic = `Basic ${Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64')}`
    const url = `${hook.url}/hook`
    // An endpoint that is bound to an installation and subscribed to installation.created gets that installation's
    // event at once.
    const bound = { url, events: ['installation.created'], installation_id: installed['id'] }
    const endpoint = await post('/webhook_endpoints', basic, bound)

    const mail = await mails.waitForMail(team, /webhook endpoint was disabled/)
    expect(mail.text).toContain(`Endpoint: ${endpoint['id']}\nURL: ${url}`)
    expect(mail.text).toContain('It answered 410 Gone.')
  })

  test('when the operator suspends the team’s app and lifts the suspension, with the brand in the mail', async () => {
    const { id } = demoApp()
    const operator = `Bearer ${demo.operator_keys.live}`
    await post(`/platform/apps/${id}/suspend`, operator, { reason: 'It shows stale figures.' })
    const { text, message } = await mails.waitForMail(team, /the app was suspended/)
    expect(text).toContain('> It shows stale figures.')
    expect(text).toContain('-- \nHarbor & Vine\nSupport: https://vine.example/help')
    expect(message).toMatch(/^Content-I[dD]: <logo>\r$/m)
    expect(message.replaceAll('\r\n', '')).toContain(PIXEL)
    await post(`/platform/apps/${id}/lift`, operator, {})
    await mails.waitForMail(team, /the suspension was lifted/)
  })
})

test('an operator’s invitation contains a link that creates the account', async () => {
  const email = 'grace@example.org'
  const invited = await post('/platform/accounts/invitations', `Bearer ${demo.operator_keys.live}`, { email })
  const link = await mails.waitForLink(email, /invited/i)
  expect(invited).toMatchObject({ attributes: { url: link } })
  const shown = await fetch(link)
  const cookie = shown.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const csrf = /name="csrf" value="([^"]+)"/.exec(await shown.text())?.[1] ?? ''
  const press = () =>
    fetch(link, {
      ...{ method: 'POST', redirect: 'manual', headers: { cookie, origin: demo.base_url } },
      body: new URLSearchParams({ csrf, name: 'Grace Hopper', password: 'lantern over a quiet harbour' }),
    })
  expect((await press()).status).toBe(303)
  // A second press in the same browser leads to the same account. Another browser gets 410, because the link was used.
  expect((await press()).status).toBe(303)
  expect((await fetch(link)).status).toBe(410)
})

test('an invitation to a syndicate contains a link to its page', async () => {
  const { key } = demoApp()
  const manager = await connect(demo.base_url, demo.people.manager, { client: key, scopes: ['write:syndicates'] })
  const bearer = `Bearer ${manager.access_token}`
  const answer = await fetch(`${demo.base_url}/syndicates`, { headers: { authorization: bearer } })
  const [syndicate] = ((await answer.json()) as { data: { id: string; attributes: { name: string } }[] }).data
  const email = 'katherine@example.org'
  await post(`/syndicates/${syndicate?.id}/members/invite`, bearer, { email })
  const shown = await fetch(
    await mails.waitForLink(email, /\[Sandbox\] You are invited to a syndicate at Harbor & Vine/),
  )
  expect(shown.status).toBe(200)
  expect(await shown.text()).toContain(syndicate?.attributes.name)
})
