import {
  accessToken,
  Client,
  type Credential,
  clientCredentials,
  installation,
  operatorKey,
  type RetryNotice,
  serverKey,
} from '@portico/sdk'
import type { Environment } from '../environment.ts'
import { EXIT, Failure, usageFailure } from '../failure.ts'
import { DEMO_PATH, type DemoApp, type DemoFile, type Mode, readDemoFile } from './demo-file.ts'
import type { Remedies, Retry } from './explain.ts'
import { DEFAULT_PROFILE, type Profile, readProfiles } from './profiles.ts'

export type ServerKey = { readonly clientId: string; readonly clientSecret: string }

/** The service, the app, and the credentials of the command line. */
export type ConnectionParts = {
  readonly source: 'demo' | 'environment' | 'profile'
  /** A sentence that says where the credentials come from. */
  readonly remark: string
  readonly baseUrl: string
  readonly mode: Mode
  readonly app: { readonly id: string | null; readonly name: string } | null
  readonly serverKey: ServerKey | null
  readonly operatorKey: string | null
  readonly session: string | null
  readonly demo: DemoFile | null
  readonly remedies: Remedies
}

/**
 * The credential of a request. `sandbox` is the operator's key if there is one, otherwise a token of the app itself.
 * As `nobody`, a request is sent without a credential.
 */
export type As = 'server' | 'operator' | 'app' | 'sandbox' | 'session' | 'nobody'

export const NO_CREDENTIAL: Credential = { authorization: async () => '' }

/** A client for paths that are built at run time, which the types of the SDK cannot check. */
export type LooseClient = {
  get<T>(path: string, options?: { readonly query?: object }): Promise<T>
  post<T>(path: string, options?: { readonly body?: unknown }): Promise<T>
}

export function looseOf(client: Client): LooseClient {
  return client as unknown as LooseClient
}

/** For commands whose response a person waits for. */
const FEW_RETRIES = { maxRetries: 2 }
/**
 * For copies and imports, which may run at night while the service restarts. They may also need more requests than the
 * hourly limit allows, so they wait for the next hour.
 */
const MANY_RETRIES = { maxRetries: 8, maxWaitMs: 3_900_000 }

export class Connection {
  readonly parts: ConnectionParts
  readonly #onRetry: (retry: Retry) => void
  readonly #clients = new Map<As, Client>()

  constructor(parts: ConnectionParts, onRetry: (retry: Retry) => void = () => {}) {
    this.parts = parts
    this.#onRetry = onRetry
  }

  get baseUrl(): string {
    return this.parts.baseUrl
  }

  get mode(): Mode {
    return this.parts.mode
  }

  client(as: As): Client {
    const known = this.#clients.get(as)
    if (known !== undefined) return known
    const client = this.#clientWith(this.#credential(as))
    this.#clients.set(as, client)
    return client
  }

  loose(as: As): LooseClient {
    return looseOf(this.client(as))
  }

  /** A client that acts as the app on one company or syndicate. */
  onInstallation(id: string): Client {
    return this.#clientWith(this.#installation(id))
  }

  /** A client that reads with an installation or a token, with many retries and long waits. */
  forCopy(reader: { readonly installation: string } | { readonly token: string }): Client {
    const credential = 'token' in reader ? accessToken(reader.token) : this.#installation(reader.installation)
    return this.#clientWith(credential, MANY_RETRIES)
  }

  /** A client that sends facts with the operator's key, with many retries and long waits. */
  forImport(): Client {
    return this.#clientWith(this.#credential('operator'), MANY_RETRIES)
  }

  serverKey(): ServerKey {
    const { serverKey: key, mode } = this.parts
    if (key !== null) return key
    throw new Failure(`There is no ${mode} server key to act as the app with.`, {
      exit: EXIT.credential,
      type: 'no_server_key',
      remedy: 'Run portico login and portico apps use, or set PORTICO_CLIENT_ID and PORTICO_CLIENT_SECRET.',
    })
  }

  #installation(id: string): Credential {
    return installation({ id, mintWith: serverKey(this.serverKey()) })
  }

  #clientWith(credential: Credential, retries: { maxRetries: number; maxWaitMs?: number } = FEW_RETRIES): Client {
    const onRetry = (notice: RetryNotice) => this.#onRetry({ ...notice, attempts: retries.maxRetries + 1 })
    return new Client({ baseUrl: this.baseUrl, credential, ...retries, userAgent: 'portico-cli', hooks: { onRetry } })
  }

  #credential(as: As): Credential {
    if (as === 'nobody') return NO_CREDENTIAL
    const { operatorKey: key, session } = this.parts
    if (as === 'server') return serverKey(this.serverKey())
    if (as === 'session') {
      if (session === null) throw needsLogin()
      return accessToken(session)
    }
    if (key !== null && as !== 'app') return operatorKey(key)
    if (as === 'operator') throw noOperatorKey()
    return clientCredentials(this.serverKey())
  }
}

function noOperatorKey(): Failure {
  return new Failure('This command needs the operator’s key, which only the host platform has.', {
    exit: EXIT.credential,
    type: 'no_operator_key',
    remedy: 'Set PORTICO_OPERATOR_KEY. The key of a demo is in .portico/demo.json.',
  })
}

/** The failure of a command that calls the portal's API, which rejects the keys of a demo and of the environment. */
function needsLogin(): Failure {
  return new Failure('This command needs a login.', {
    exit: EXIT.credential,
    type: 'not_logged_in',
    remedy: 'Run portico login.',
  })
}

export function notLoggedIn(): Failure {
  return new Failure('You are not logged in.', {
    exit: EXIT.credential,
    type: 'not_logged_in',
    remedy: `Run portico login, or run the command in a folder with a demo (${DEMO_PATH}, which npm start makes).`,
  })
}

/** The options of every command that choose a service and an app. */
export type ConnectionChoice = {
  readonly demo: boolean
  readonly profile: string | undefined
  readonly app: string | undefined
  readonly mode: string | undefined
  readonly 'base-url': string | undefined
}

type ConnectionSources = {
  readonly values: ConnectionChoice
  readonly environment: Environment
  readonly directory: string
}

/**
 * Finds the credentials: in the environment, then in a profile, then in the demo of the folder. With `--demo` only in
 * the demo.
 */
export async function findConnection({ values, environment, directory }: ConnectionSources): Promise<ConnectionParts> {
  const mode = readMode(values.mode)
  const demo = await readDemoFile(directory)
  const { clientId, clientSecret, operatorKey } = environment
  const baseUrl = values['base-url'] ?? environment.baseUrl
  if (!values.demo && (clientId !== undefined || operatorKey !== undefined)) {
    return fromEnvironment({
      mode,
      clientId,
      clientSecret,
      operatorKey,
      chosenApp: values.app,
      baseUrl: readBaseUrl(baseUrl ?? demo?.base_url),
    })
  }
  const profile = values.demo ? undefined : await findProfile(values, environment, baseUrl)
  if (profile !== undefined) return fromProfile(profile, mode, values.app)
  if (demo !== null) return fromDemo(demo, { mode, app: values.app, baseUrl, wasChosen: values.demo })
  if (baseUrl !== undefined && !values.demo) return withoutCredential(readBaseUrl(baseUrl), mode)
  throw values.demo
    ? new Failure(`There is no demo in this folder: ${DEMO_PATH} is missing.`, {
        exit: EXIT.credential,
        type: 'no_demo',
        remedy: 'Start one with npm start in the repository, and run the command there.',
      })
    : notLoggedIn()
}

/** If `--app` were ignored, the command would act as another app than the person named. */
function appNotChosen(remedy: string): Failure {
  return usageFailure('--app chooses an app of the demo, or the app of portico login.', remedy)
}

/** A profile belongs to one service: its token is never sent to another address. */
async function findProfile(
  { profile: chosen }: ConnectionChoice,
  environment: Environment,
  baseUrl: string | undefined,
): Promise<Profile | undefined> {
  const profile = (await readProfiles(environment))[chosen ?? environment.profile ?? DEFAULT_PROFILE]
  const belongsToService = baseUrl === undefined || readBaseUrl(baseUrl) === profile?.base_url
  if (profile !== undefined && belongsToService) return profile
  if (chosen !== undefined) throw notLoggedIn()
  return undefined
}

/**
 * A connection without credentials. It is enough for `portico open`, and for a command with the option --token.
 */
function withoutCredential(baseUrl: string, mode: Mode): ConnectionParts {
  const noKeys = { clientId: undefined, clientSecret: undefined, operatorKey: undefined, chosenApp: undefined }
  return { ...fromEnvironment({ mode, ...noKeys, baseUrl }), remark: `Using ${baseUrl}, ${mode}.` }
}

function readMode(text: string | undefined): Mode {
  if (text === undefined || text === 'test') return 'test'
  if (text === 'live') return 'live'
  throw usageFailure(`--mode is test or live, not "${text}".`)
}

export function readBaseUrl(text: string | undefined): string {
  if (text === undefined)
    throw usageFailure('The address of the service is missing.', 'Add --base-url or set PORTICO_BASE_URL.')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageFailure(`"${text}" is not the address of a service.`, 'It looks like https://api.example.com.')
  }
  return url.href.replace(/\/$/, '')
}

function fromEnvironment(source: {
  readonly mode: Mode
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly operatorKey: string | undefined
  readonly chosenApp: string | undefined
  readonly baseUrl: string
}): ConnectionParts {
  const { mode, clientId, clientSecret, operatorKey = null, chosenApp, baseUrl } = source
  if (chosenApp !== undefined) throw appNotChosen('Leave --app out: the keys of the environment belong to one app.')
  for (const [name, key] of [
    ['PORTICO_CLIENT_ID', clientId],
    ['PORTICO_OPERATOR_KEY', operatorKey],
  ] as const) {
    const world = /^\w+?_(test|live)_/.exec(key ?? '')?.[1]
    if (world === undefined || world === mode) continue
    throw usageFailure(
      `${name} is a ${world} key, and this command acts in ${mode}.`,
      `Add --mode ${world}, or use a ${mode} key.`,
    )
  }
  const serverKey = clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : null
  return {
    source: 'environment',
    remark: `Using the keys of the environment at ${baseUrl}, ${mode}.`,
    ...{ baseUrl, mode, serverKey, operatorKey },
    app: clientId === undefined ? null : { id: null, name: clientId },
    ...{ session: null, demo: null },
    remedies: {
      credential:
        'Check PORTICO_CLIENT_ID, PORTICO_CLIENT_SECRET and PORTICO_OPERATOR_KEY: was a key revoked or rotated?',
      unreachable: 'Check PORTICO_BASE_URL and the network.',
    },
  }
}

function fromProfile(profile: Profile, mode: Mode, chosenApp: string | undefined): ConnectionParts {
  const { app } = profile
  if (chosenApp !== undefined && chosenApp !== app?.id && chosenApp !== app?.name)
    throw appNotChosen(`Run portico apps use "${chosenApp}", which chooses the app of a profile.`)
  const key = profile.keys[mode]
  return {
    source: 'profile',
    remark: `Using ${profile.email} at ${profile.base_url}, ${mode}.`,
    ...{ baseUrl: profile.base_url, mode, app, operatorKey: null, session: profile.token, demo: null },
    serverKey: key === undefined ? null : { clientId: key.client_id, clientSecret: key.client_secret },
    remedies: {
      credential: 'The session or the key has ended: run portico login again.',
      unreachable: 'Check the network, and portico config for the address.',
    },
  }
}

type DemoChoice = {
  readonly mode: Mode
  readonly app: string | undefined
  readonly baseUrl: string | undefined
  /** Whether `--demo` was given: then the person may be logged in. */
  readonly wasChosen: boolean
}

function fromDemo(demo: DemoFile, { mode, app: chosen, baseUrl, wasChosen }: DemoChoice): ConnectionParts {
  const app = demoApp(demo, chosen)
  const key = app.keys.find((one) => one.mode === mode && one.client_secret !== undefined)
  return {
    source: 'demo',
    remark: `${wasChosen ? 'Using' : 'Not logged in: using'} the demo in ${DEMO_PATH} as the app ${app.name}, ${mode}.`,
    baseUrl: readBaseUrl(baseUrl ?? demo.base_url),
    mode,
    app: { id: app.id, name: app.name },
    serverKey: key?.client_secret === undefined ? null : { clientId: key.client_id, clientSecret: key.client_secret },
    operatorKey: demo.operator_keys[mode],
    session: null,
    demo,
    remedies: {
      credential: `The demo has new keys. Run npm start again in this folder: it writes the keys to ${DEMO_PATH}.`,
      unreachable: 'Start the demo with npm start in this folder.',
    },
  }
}

function demoApp({ apps }: DemoFile, chosen: string | undefined): DemoApp {
  const found = chosen === undefined ? apps[0] : apps.find(({ id, name }) => id === chosen || name === chosen)
  if (found !== undefined) return found
  throw usageFailure(`The demo has no app "${chosen}".`, `It has: ${apps.map(({ name }) => name).join(', ')}.`)
}
