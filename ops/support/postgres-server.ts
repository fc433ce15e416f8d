import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../server/test/support/free-port.ts'
import { POSTGRES_BIN } from './debian.ts'
import { until } from './http.ts'
import type { Machine, Program } from './machine.ts'

const START_WITHIN_MS = 120_000
const SETTINGS = ['shared_buffers=256MB', 'max_connections=200', 'autovacuum_naptime=15s', 'max_wal_size=2GB']

/** One PostgreSQL 15 of Debian, on a port and a folder of its own, with an empty database and its owner `portico`. */
export class PostgresServer {
  readonly directory: string
  readonly port: number
  readonly #machine: Machine
  readonly #name: string
  #program: Program | null = null

  private constructor(machine: Machine, { name, directory, port }: { name: string; directory: string; port: number }) {
    this.#machine = machine
    this.#name = name
    this.directory = directory
    this.port = port
  }

  static async create(machine: Machine, name: string, settings: readonly string[] = []): Promise<PostgresServer> {
    const server = await PostgresServer.inFolder(machine, name)
    await server.#tool('initdb', [
      '-D',
      server.data,
      '-A',
      'trust',
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale',
      'C.UTF-8',
    ])
    await server.start(settings)
    await server.sql('create role portico login createrole')
    await server.sql('create database portico owner portico')
    return server
  }

  /** A server that does not run yet and has no data folder: `initdb` or a restore creates the folder. */
  static async inFolder(machine: Machine, name: string): Promise<PostgresServer> {
    return new PostgresServer(machine, { name, directory: await machine.folder(name), port: await freePort() })
  }

  get data(): string {
    return join(this.directory, 'data')
  }

  /** The URL of Portico's database, without a password. */
  get url(): string {
    return `postgres://portico@127.0.0.1:${this.port}/portico`
  }

  urlWith(password: string): string {
    return this.url.replace('portico@', `portico:${password}@`)
  }

  /** Sets the password that the owner of the database needs from now on. */
  async requirePassword(password: string): Promise<void> {
    const rules = ['host all postgres 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256']
    await writeFile(join(this.data, 'pg_hba.conf'), `${rules.join('\n')}\n`)
    await this.sql(`alter role portico password '${password}'`)
    await this.sql('select pg_reload_conf()')
  }

  async start(settings: readonly string[] = []): Promise<void> {
    const places = [`port=${this.port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${this.directory}`]
    const options = [...places, ...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
    const command = join(POSTGRES_BIN, 'postgres')
    const args = ['-D', this.data, ...options]
    this.#program = this.#machine.start({ name: this.#name, command, args, asPostgres: true, endWith: 'SIGQUIT' })
    const what = () => `PostgreSQL is ready:\n${this.#program?.output() ?? ''}`
    await until(what, START_WITHIN_MS, () => this.#accepts())
  }

  async #accepts(): Promise<boolean> {
    if (this.#program?.hasEnded() === true) throw new Error(`PostgreSQL ended:\n${this.#program.output()}`)
    return await this.sql('select 1').then(
      () => true,
      () => false,
    )
  }

  /** Stops the server. `immediate` stops it as a crash would. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const pid = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await this.#program?.ended
  }

  /** Runs SQL as the superuser, and returns the rows as text. */
  async sql(statement: string, database = 'postgres'): Promise<string> {
    return this.tool('psql', [
      '-U',
      'postgres',
      '-d',
      database,
      '-X',
      '-q',
      '-A',
      '-t',
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      statement,
    ])
  }

  /** Runs a client program of PostgreSQL, connected to this server. */
  async tool(name: string, args: readonly string[]): Promise<string> {
    return this.#tool(name, ['-h', '127.0.0.1', '-p', String(this.port), ...args])
  }

  async #tool(name: string, args: readonly string[]): Promise<string> {
    return this.#machine.run({ name, command: join(POSTGRES_BIN, name), args, asPostgres: true })
  }
}
