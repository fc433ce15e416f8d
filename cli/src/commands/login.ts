import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { accessToken, Client } from '@portico/sdk'
import { openBrowser } from '../browser.ts'
import { type Command, type Context, command } from '../command.ts'
import { looseOf, NO_CREDENTIAL, notLoggedIn, readBaseUrl } from '../connection/connection.ts'
import { readDemoFile } from '../connection/demo-file.ts'
import { explained } from '../connection/explain.ts'
import { DEFAULT_PROFILE, type Profile, profilesPath, readProfiles, writeProfile } from '../connection/profiles.ts'
import { EXIT, Failure } from '../failure.ts'
import { useApp } from './apps.ts'

const login = command({
  name: 'login',
  summary: 'sign in with the browser',
  usage: '[--base-url URL] [--profile NAME] [--app APP]',
  about: `Opens the browser, where you sign in and allow this command line to act for you in the portal. The session is stored in your
configuration folder. It ends after seven days without use, and at the latest after 30 days. You can end it with portico logout or at
/settings/security.

Then the command chooses the app (name it with --app if there are several) and creates a test key for it. listen and the other commands
use that key to act as the app.`,
  options: {},
  examples: ['portico login --base-url https://api.example.com', 'portico login --profile work --app "Fieldbook CRM"'],
  run: async (context) => {
    const { values, environment, directory, printer } = context
    const address = values['base-url'] ?? environment.baseUrl ?? (await readDemoFile(directory))?.base_url
    const baseUrl = readBaseUrl(address)
    const name = values.profile ?? environment.profile ?? DEFAULT_PROFILE
    const { profile, apps } = await newProfile(context, { baseUrl, name }).catch((error: unknown) => {
      throw explained(error, baseUrl, LOGIN_REMEDIES)
    })
    const { email, expires_at, app } = profile
    if (printer.json) {
      printer.document({ profile: name, email, base_url: baseUrl, expires_at, app })
      return undefined
    }
    printer.line(`Logged in as ${email} at ${baseUrl}.`)
    if (app !== null) printer.line(`Working on the app ${app.name}, test.`)
    else
      printer.note(
        apps === 0 ? 'You have no app yet: create one in the portal.' : 'Choose an app: portico apps use APP.',
      )
    return undefined
  },
})

const LOGIN_REMEDIES = {
  credential: 'Run portico login again.',
  unreachable: 'Check --base-url and the network.',
}

/** Signs the person in and stores the profile. Chooses the app if `--app` names one or the person has only one. */
async function newProfile(context: Context, { baseUrl, name }: { readonly baseUrl: string; readonly name: string }) {
  const { values, environment } = context
  // Checks the address first: with a wrong one the browser would show an error, and the command would wait forever.
  await looseOf(new Client({ baseUrl, credential: NO_CREDENTIAL, maxRetries: 0 })).get('/healthz')
  const { access_token, expires_at } = await signIn(context, baseUrl)
  const client = new Client({ baseUrl, credential: accessToken(access_token) })
  const { data: me } = await client.get('/portal/api/me')
  const { email } = me.attributes
  const profile: Profile = { base_url: baseUrl, email, token: access_token, expires_at, app: null, keys: {} }
  await writeProfile(environment, name, profile)
  const apps = await client.list('/portal/api/apps').toArray()
  const [only] = apps
  const wanted = values['app'] ?? (apps.length === 1 ? only?.id : undefined)
  if (typeof wanted !== 'string' || only === undefined) return { profile, apps: apps.length }
  return { profile: await useApp(context, { client, name, profile, wanted }), apps: apps.length }
}

type Session = { readonly access_token: string; readonly expires_at: string }

/** RFC 8252: the service redirects the browser to a port of this machine, and only this process has the verifier. */
async function signIn({ printer, environment }: Context, baseUrl: string): Promise<Session> {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const state = randomBytes(24).toString('base64url')
  const code = await new Promise<string>((resolve, reject) => {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
      if (pathname !== '/callback' || !isSame(searchParams.get('state') ?? '', state))
        return response.writeHead(404).end()
      const receivedCode = searchParams.get('code')
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end(
        receivedCode === null
          ? 'You did not allow the command line. You can close this page.\n'
          : 'Done. You can close this page and return to the terminal.\n',
      )
      server.close()
      if (receivedCode !== null) return resolve(receivedCode)
      return reject(
        new Failure('You did not allow the command line in the browser.', {
          exit: EXIT.credential,
          type: 'access_denied',
          remedy: 'Run portico login again.',
        }),
      )
    })
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      const query = new URLSearchParams({
        redirect_uri: `http://127.0.0.1:${port}/callback`,
        ...{ state, code_challenge: challenge, code_challenge_method: 'S256', device: hostname().slice(0, 60) },
      })
      const url = `${baseUrl}/command-line?${query}`
      printer.note(
        `Open this address in your browser:\n\n  ${url}\n\nThe page shows the code phrase ${printer.style('bold', phraseOf(challenge))}.`,
      )
      openBrowser(url, environment.browser)
    })
  })
  const client = new Client({ baseUrl, credential: NO_CREDENTIAL })
  return await client.post('/portal/api/session', { body: { code, code_verifier: verifier } })
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** Eight letters from a digest of the challenge. The page shows them too, so that people can check that the request is their own. */
export function phraseOf(challenge: string): string {
  const letters = [...createHash('sha256').update(challenge).digest().subarray(0, 8)].map(
    (byte) => LETTERS[byte % LETTERS.length],
  )
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

const logout = command({
  name: 'logout',
  summary: 'end the session of portico login',
  usage: '[--profile NAME]',
  about:
    'Ends the session at the service and removes the profile from this machine. It does not revoke the keys that were created for the app: revoke them in the portal.',
  options: {},
  examples: ['portico logout', 'portico logout --profile work'],
  run: async ({ values, environment, printer }) => {
    const name = values.profile ?? environment.profile ?? DEFAULT_PROFILE
    const profile = (await readProfiles(environment))[name]
    if (profile === undefined) throw notLoggedIn()
    const client = new Client({ baseUrl: profile.base_url, credential: accessToken(profile.token), maxRetries: 0 })
    // The profile is removed even if the session has ended or the service does not respond.
    const ended = await client.delete('/portal/api/session').then(
      () => true,
      () => false,
    )
    await writeProfile(environment, name, null)
    if (printer.json) printer.document({ profile: name, session_ended: ended })
    else
      printer.line(
        ended
          ? 'Logged out.'
          : 'Logged out on this machine. The service did not respond, or the session had ended before.',
      )
    return undefined
  },
})

const whoami = command({
  name: 'whoami',
  summary: 'show the account and the app of the commands, and check them',
  usage: '',
  options: {},
  examples: ['portico whoami', 'portico whoami --json'],
  run: async ({ printer, connect }) => {
    const connection = await connect()
    const { source, app, baseUrl, mode, serverKey, operatorKey, session } = connection.parts
    const me = session === null ? null : (await connection.client('session').get('/portal/api/me')).data
    if (serverKey !== null) await connection.client('server').get('/events', { query: { per_page: 1 } })
    const shown = {
      ...{ source, base_url: baseUrl, mode, email: me?.attributes.email ?? null },
      ...{ app: app?.name ?? null, client_id: serverKey?.clientId ?? null, operator_key: operatorKey !== null },
    }
    if (printer.json) printer.document(shown)
    else printer.fields(Object.entries(shown).map(([name, value]) => [name, value === null ? '–' : String(value)]))
    return undefined
  },
})

const config = command({
  name: 'config',
  summary: 'show the profiles, and where files are stored',
  usage: '',
  options: {},
  examples: ['portico config', 'portico config --json'],
  run: async ({ environment, directory, printer }) => {
    const profiles = Object.entries(await readProfiles(environment)).map(
      ([name, { base_url, email, app, expires_at }]) => {
        return { name, base_url, email, app: app?.name ?? null, expires_at }
      },
    )
    const demo = await readDemoFile(directory)
    const shown = {
      profiles_file: profilesPath(environment),
      listen_folder: `${directory}/.portico/listen`,
      demo: demo?.base_url ?? null,
    }
    if (printer.json) {
      printer.document({ ...shown, profiles })
      return undefined
    }
    printer.fields(Object.entries(shown).map(([name, value]) => [name, value ?? '–']))
    for (const { name, email, base_url, app } of profiles)
      printer.line(`profile ${name}: ${email} at ${base_url}, ${app ?? 'no app chosen'}`)
    return undefined
  },
})

export const loginCommands: readonly Command[] = [login, logout, whoami, config]
