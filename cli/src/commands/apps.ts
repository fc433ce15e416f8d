import { hostname } from 'node:os'
import type { Api, Client } from '@portico/sdk'
import { withRecentProof } from '../browser.ts'
import { type Command, type Context, command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { DEFAULT_PROFILE, type Profile, readProfiles, writeProfile } from '../connection/profiles.ts'
import { EXIT, Failure } from '../failure.ts'
import { readWholeNumber } from '../option-values.ts'
import type { Column } from '../printer.ts'

const COLUMNS: readonly Column<Api.App>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ attributes }) => attributes.name, style: 'bold' },
  { title: 'organization', text: ({ attributes }) => attributes.organization.name },
  { title: 'status', text: ({ attributes }) => attributes.status },
  { title: 'version', text: ({ attributes }) => attributes.api_version, style: 'dim' },
]

const appsList = command({
  name: 'apps list',
  summary: 'list your apps',
  usage: '',
  options: {},
  examples: ['portico apps list', 'portico apps list --json'],
  run: async ({ printer, connect }) => {
    const rows = await (await connect()).client('session').list('/portal/api/apps').toArray()
    if (printer.json) printer.document({ data: rows })
    else printer.table(COLUMNS, rows)
    return undefined
  },
})

type AppChoice = { readonly client: Client; readonly name: string; readonly profile: Profile; readonly wanted: string }

/** Chooses the app of a profile and creates a test key for it. Commands use that key to act as the app. */
export async function useApp(context: Context, { client, name, profile, wanted }: AppChoice): Promise<Profile> {
  const apps = await client.list('/portal/api/apps').toArray()
  const app = apps.find(({ id, attributes }) => id === wanted || attributes.name === wanted)
  if (app === undefined) {
    const names = apps.map(({ attributes }) => attributes.name).join(', ')
    throw new Failure(`You have no app "${wanted}".`, {
      exit: EXIT.notFound,
      type: 'no_app',
      remedy: apps.length === 0 ? `Create your first app at ${profile.base_url}/developers.` : `You have: ${names}.`,
    })
  }
  const body = {
    mode: 'test',
    name: `Command line on ${hostname()}`.slice(0, 60),
    client_type: 'confidential',
  } as const
  const created = await withRecentProof(context, profile.base_url, () =>
    client.post('/portal/api/apps/{app_id}/keys', { path: { app_id: app.id }, body }),
  )
  const keys =
    created.client_secret === null ? {} : { test: { client_id: created.data.id, client_secret: created.client_secret } }
  const next = { ...profile, app: { id: app.id, name: app.attributes.name }, keys }
  await writeProfile(context.environment, name, next)
  return next
}

const appsUse = command({
  name: 'apps use',
  summary: 'choose the app that the commands work on',
  usage: 'APP',
  about:
    'Chooses the app of the profile and creates a test key for it, named after this machine. listen and the other commands use that key to act as the app.',
  options: {},
  examples: ['portico apps use "Fieldbook CRM"'],
  words: { min: 1, max: 1 },
  run: async (context) => {
    const { values, environment, printer, words, connect } = context
    const client = (await connect()).client('session')
    const name = values.profile ?? environment.profile ?? DEFAULT_PROFILE
    const profile = (await readProfiles(environment))[name]
    if (profile === undefined)
      throw new Failure('You are not logged in.', { exit: EXIT.credential, remedy: 'Run portico login.' })
    const { app } = await useApp(context, { client, name, profile, wanted: words[0] ?? '' })
    if (printer.json) printer.document({ profile: name, app })
    else printer.line(`Working on the app ${app?.name}, test.`)
    return undefined
  },
})

const KEY_COLUMNS: readonly Column<Api.AppKey>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ attributes }) => attributes.name, style: 'bold' },
  { title: 'mode', text: ({ attributes }) => attributes.mode },
  { title: 'type', text: ({ attributes }) => attributes.client_type },
  { title: 'status', text: ({ attributes }) => attributes.status },
]

function appIdOf(connection: Connection): string {
  const id = connection.parts.app?.id
  if (id !== null && id !== undefined) return id
  throw new Failure('No app is chosen.', { exit: EXIT.credential, type: 'no_app', remedy: 'Run portico apps use APP.' })
}

const keysList = command({
  name: 'keys list',
  summary: 'list the keys of the app',
  usage: '',
  options: {},
  examples: ['portico keys list'],
  run: async ({ printer, connect }) => {
    const connection = await connect()
    const path = { app_id: appIdOf(connection) }
    const rows = await connection.client('session').list('/portal/api/apps/{app_id}/keys', { path }).toArray()
    if (printer.json) printer.document({ data: rows })
    else printer.table(KEY_COLUMNS, rows)
    return undefined
  },
})

/** The longest time for which the service accepts an old secret. */
const WEEK_SECONDS = 604_800

const keysRotate = command({
  name: 'keys rotate',
  summary: 'replace the secret of a key; the new one is shown once',
  usage: 'KEY [--overlap SECONDS]',
  options: {
    overlap: {
      value: 'SECONDS',
      about: 'how long the current secret still works (default: 86400, a day; at most a week)',
    },
  },
  examples: ['portico keys rotate pk_test_0VbIWuIRqK9re0PjUg1xVVPM --overlap 3600'],
  words: { min: 1, max: 1 },
  run: async (context) => {
    const { values, words, printer, connect } = context
    const connection = await connect()
    const path = { app_id: appIdOf(connection), key_id: words[0] ?? '' }
    const overlap = values.overlap
    const body =
      overlap === undefined
        ? {}
        : { overlap_seconds: readWholeNumber('overlap', overlap, { min: 0, max: WEEK_SECONDS }) }
    const { data, client_secret } = await withRecentProof(context, connection.baseUrl, () =>
      connection.client('session').post('/portal/api/apps/{app_id}/keys/{key_id}/rotate_secret', { path, body }),
    )
    if (printer.json) printer.document({ ...data, client_secret })
    else {
      printer.fields([
        ['key', data.id],
        ['secret', client_secret ?? '–'],
      ])
      printer.note('The secret is shown only once.')
    }
    return undefined
  },
})

const SCOPE_COLUMNS: readonly Column<Api.PickerScope & { readonly declared: boolean }>[] = [
  { title: 'scope', text: ({ id }) => id, style: 'bold' },
  { title: 'declared', text: ({ declared }) => (declared ? 'yes' : 'no') },
  { title: 'what people read', text: ({ attributes }) => attributes.consent, style: 'dim' },
]

const scopes = command({
  name: 'scopes',
  summary: 'list the scopes, and which of them the app declares',
  usage: '',
  options: {},
  examples: ['portico scopes', 'portico scopes --json'],
  run: async ({ printer, connect }) => {
    const connection = await connect()
    const client = connection.client('session')
    const { data: app } = await client.get('/portal/api/apps/{app_id}', { path: { app_id: appIdOf(connection) } })
    const all = await client.list('/portal/api/scopes').toArray()
    const rows = all.map((scope) => ({ ...scope, declared: app.attributes.scopes.includes(scope.id) }))
    if (printer.json) printer.document({ data: rows })
    else printer.table(SCOPE_COLUMNS, rows)
    return undefined
  },
})

export const appCommands: readonly Command[] = [appsList, appsUse, keysList, keysRotate, scopes]
