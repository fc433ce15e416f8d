import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buildServer } from '../../scripts/build-server.ts'
import { until } from './http.ts'
import type { Machine, Program } from './machine.ts'

/** The flags of the script `start` in package.json. */
const START_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=60']
const READY_WITHIN_MS = 180_000

/** A checkout or a bundle of Portico: the file that starts it, and the folder with its commands. */
export type Release = { readonly main: string; readonly command: (name: string) => string }

/** This checkout as a bundle, which needs less than half of the processor time of the sources to start. */
export async function presentRelease(machine: Machine): Promise<Release> {
  const folder = join(machine.directory, 'present')
  await buildServer(folder)
  return { main: join(folder, 'main.js'), command: (name) => join(folder, `${name}.js`) }
}

/** Another checkout, which runs from its sources. */
export function releaseOf(checkout: string): Release {
  const main = join(checkout, 'server/src/main')
  return { main: join(main, 'main.ts'), command: (name) => join(main, `commands/${name}.ts`) }
}

export type Settings = Readonly<Record<string, string>>

/** Limits that no request reaches. Requests are still counted, so that Redis is used. */
const LIMIT = '1000000000'
const LIMITS = [
  ...['ACCESS_TOKEN', 'ADDRESS', 'PUBLIC_CATALOG', 'PUBLISHABLE_KEY', 'TOKEN_CLIENT', 'TOKEN_ADDRESS', 'SERVER_KEY'],
  ...['DOCUMENTS', 'UNKNOWN_TOKEN'],
]

/** The settings that all processes of an install share. */
export function commonSettings(databaseUrl: string, baseUrl: string): Settings {
  return {
    DATABASE_URL: databaseUrl,
    PORTICO_BASE_URL: baseUrl,
    PORTICO_SECRET: randomBytes(36).toString('base64'),
    PORTICO_DEMO: 'off',
    PORTICO_POOL_SIZE: '4',
    PORTICO_ALLOW_LOOPBACK_WEBHOOKS: 'on',
    PORTICO_TRUSTED_PROXIES: 'loopback',
    PORTICO_REQUEST_LOG_PER_MINUTE: '0',
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    MALLOC_ARENA_MAX: '2',
    ...Object.fromEntries(LIMITS.map((name) => [`PORTICO_LIMIT_${name}`, LIMIT])),
  }
}

export type Role = 'api' | 'worker' | 'all'
export type NodeOptions = { readonly name: string; readonly role: Role; readonly port: number }

/** One process of Portico, which can be killed and started again on the same port. */
export class PorticoNode {
  readonly name: string
  readonly role: Role
  readonly url: string
  readonly port: number
  readonly #machine: Machine
  #release: Release
  #settings: Settings
  #program: Program | null = null

  constructor(machine: Machine, release: Release, settings: Settings, { name, role, port }: NodeOptions) {
    this.#machine = machine
    this.#release = release
    this.#settings = { ...settings, PORT: String(port), HOST: '127.0.0.1' }
    this.name = name
    this.role = role
    this.port = port
    this.url = `http://127.0.0.1:${port}`
  }

  /** Starts the process. Given settings replace those of the same name from now on. */
  launch(release = this.#release, settings: Settings = {}): void {
    this.#release = release
    this.#settings = { ...this.#settings, ...settings }
    this.#program = this.#machine.start({
      name: this.name,
      command: process.execPath,
      args: [...START_FLAGS, release.main, '--role', this.role],
      env: this.#settings,
    })
  }

  async ready(): Promise<void> {
    const what = () => `${this.name} is ready:\n${this.#program?.output() ?? ''}`
    await until(what, READY_WITHIN_MS, async () => {
      if (this.#program?.hasEnded() === true) throw new Error(`${this.name} ended:\n${this.#program.output()}`)
      return (await this.readiness()) === 200
    })
  }

  async readiness(): Promise<number> {
    const signal = AbortSignal.timeout(3_000)
    return fetch(`${this.url}/readyz`, { signal }).then(
      (response) => response.status,
      () => 0,
    )
  }

  /** Resolves with the exit code, or with the signal that ended the process. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals | null> {
    this.#program?.signal(signal)
    return (await this.#program?.ended) ?? null
  }

  /** Replaces the process as a rollout does: SIGTERM, wait for the end, start, wait until ready. Resolves with the exit code. */
  async replace(release = this.#release, settings: Settings = {}): Promise<number | NodeJS.Signals | null> {
    const code = await this.end('SIGTERM')
    this.launch(release, settings)
    await this.ready()
    return code
  }
}

/** Runs a command of the release to its end and returns what it prints. */
export function runCommand(
  machine: Machine,
  release: Release,
  { name, args, settings }: { readonly name: string; readonly args: readonly string[]; readonly settings: Settings },
): Promise<string> {
  const argv = [release.command(name), ...args]
  return machine.run({ name, command: process.execPath, args: argv, env: { ...settings, LOG_LEVEL: 'warn' } })
}
