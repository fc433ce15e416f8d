import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizeUrl, consent } from './flow.ts'
import { aCompanyOf } from './installing.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

/** Pages for people, with the default settings: wire brand `wefunder`, platform name "Portico". */
let stage: Stage
let app: App
let person: Person
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: ['read:profile', 'read:investments'], approved: true })
  person = await stage.person()
})
afterAll(() => stage?.close())

const withoutAttributes = (html: string) => html.replaceAll(/<[^>]*>/g, ' ')

async function expectPlatformName(path: string, { browser } = person): Promise<void> {
  const { text, headers } = await browser.open(path)
  expect(headers.get('content-type')).toContain('text/html')
  expect(text).toContain('Portico')
  expect(withoutAttributes(text)).not.toMatch(/wefunder/i)
}

describe('a page for people shows the platform’s name and never the wire brand', () => {
  test('sign-in, for a person who has not signed in', async () => {
    const response = await fetch(`${stage.service.url}/sign-in`)
    const text = await response.text()
    expect(text).toContain('Sign in to Portico')
    expect(withoutAttributes(text)).not.toMatch(/wefunder/i)
  })

  test('a one-time link that does not work', () => expectPlatformName(`/sign-in/link/${'A'.repeat(43)}`))
  test('consent', () => expectPlatformName(authorizeUrl(app.key, { scope: 'read:profile' })))
  test('a rejected authorization', () => expectPlatformName('/oauth/authorize?client_id=pk_test_nobody'))

  test('connected apps', async () => {
    await consent(stage, app.key, person, { scope: 'read:profile' })
    await expectPlatformName('/settings/apps')
  })

  test('install', async () => {
    await aCompanyOf(stage, person)
    await expectPlatformName(`/apps/${app.key.clientId}/install`)
  })

  test.each(['/join/nothing', '/invest/session/nothing', '/i/nothing', '/conditions'])('the page at %s', (path) =>
    expectPlatformName(path),
  )

  test('an error page', () => expectPlatformName('/intents/itt_nothing/review'))

  test('the API keeps the wire brand in its headers', async () => {
    const { headers } = await stage.operator('GET', '/platform/accounts')
    expect(headers.get('Wefunder-Version')).not.toBeNull()
    expect(headers.get('Portico-Version')).toBeNull()
  })
})

describe('the sign-in page names the requesting app', () => {
  const leadOf = async (returnTo: string) => {
    const response = await fetch(`${stage.service.url}/sign-in?${new URLSearchParams({ return_to: returnTo })}`)
    return /<p class="lead">(.*?)<\/p>/s.exec(await response.text())?.[1] ?? ''
  }

  test('by its registered name, before a consent and before an installation', async () => {
    const name = '<strong><bdi>Fieldbook CRM</bdi></strong>'
    expect(await leadOf(authorizeUrl(app.key, { scope: 'read:profile' }))).toContain(`${name} would like to connect`)
    expect(await leadOf(`/apps/${app.key.clientId}/install`)).toContain(`You are about to install ${name}`)
  })

  test.each(['pk_test_nobody', 'Your Bank', '<b>Your Bank</b>'])('without a name for %s', async (clientId) => {
    const lead = await leadOf(`/oauth/authorize?${new URLSearchParams({ client_id: clientId, app: 'Your Bank' })}`)
    expect(lead).toContain('An app would like to connect')
    expect(lead).not.toContain('Bank')
  })
})
