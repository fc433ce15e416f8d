import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../server/test/support/free-port.ts'
import { POSTGRES_BIN } from '../support/debian.ts'
import { until } from '../support/http.ts'
import { familyOf, type Machine, type Program, signalProcess } from '../support/machine.ts'

export type PostgresNode = {
  readonly name: string
  readonly port: number
  /** Patroni's REST API, which HAProxy asks for the role of the node. */
  readonly restPort: number
  readonly directory: string
}

/** A member as Patroni reports it. */
type Member = { readonly name: string; readonly role: string; readonly state: string; readonly timeline?: number }

const NODES = ['pg1', 'pg2', 'pg3']
const START_WITHIN_MS = 180_000
const DATABASE = 'portico'

/** Three PostgreSQL nodes under Patroni, with a synchronous standby at all times. */
export class PostgresNodes {
  readonly nodes: readonly PostgresNode[]
  readonly #machine: Machine
  readonly #etcdHosts: readonly string[]
  readonly #programs = new Map<string, Program>()
  readonly #passwords = { superuser: password(), replication: password(), rewind: password(), portico: password() }

  private constructor(machine: Machine, nodes: readonly PostgresNode[], etcdHosts: readonly string[]) {
    this.#machine = machine
    this.nodes = nodes
    this.#etcdHosts = etcdHosts
  }

  static async start(machine: Machine, etcdHosts: readonly string[]): Promise<PostgresNodes> {
    const nodes: PostgresNode[] = []
    for (const name of NODES) {
      const directory = await machine.folder(name)
      nodes.push({ name, port: await freePort(), restPort: await freePort(), directory })
    }
    const cluster = new PostgresNodes(machine, nodes, etcdHosts)
    for (const node of nodes) {
      await machine.file(`${node.name}.json`, JSON.stringify(cluster.#configuration(node), null, 2))
      // PostgreSQL leaves Patroni's process group, so it is stopped by the process id in PostgreSQL's own folder.
      machine.defer(() => stopPostgres(node))
      cluster.startAgain(node.name)
    }
    await until('PostgreSQL has a primary, a synchronous standby and a replica', START_WITHIN_MS, () =>
      cluster.isWhole(),
    )
    await cluster.#createDatabase()
    return cluster
  }

  url(port: number): string {
    return `postgres://portico:${this.#passwords.portico}@127.0.0.1:${port}/${DATABASE}`
  }

  startAgain(name: string): void {
    const [command, configuration] = ['/usr/bin/patroni', join(this.#machine.directory, `${name}.json`)]
    this.#programs.set(name, this.#machine.start({ name, command, args: [configuration], asPostgres: true }))
  }

  /** Kills all processes of PostgreSQL. Patroni keeps running and notices that PostgreSQL has ended. */
  killPostgres(name: string): void {
    signalAll(this.#node(name), 'SIGKILL')
  }

  /** Kills Patroni and PostgreSQL, as if the machine were lost. */
  async killNode(name: string): Promise<void> {
    const program = this.#programs.get(name)
    program?.signal('SIGKILL')
    signalAll(this.#node(name), 'SIGKILL')
    await program?.ended
  }

  freeze(name: string): void {
    this.#programs.get(name)?.signal('SIGSTOP')
    signalAll(this.#node(name), 'SIGSTOP')
  }

  thaw(name: string): void {
    signalAll(this.#node(name), 'SIGCONT')
    this.#programs.get(name)?.signal('SIGCONT')
  }

  #node(name: string): PostgresNode {
    const node = this.nodes.find((each) => each.name === name)
    if (node === undefined) throw new Error(`there is no node ${name}`)
    return node
  }

  /** The node whose own REST API says that it leads. HAProxy checks the same path. */
  async primary(): Promise<string | null> {
    for (const { name, restPort } of this.nodes) {
      const signal = AbortSignal.timeout(1_500)
      const answer = await fetch(`http://127.0.0.1:${restPort}/primary`, { signal }).catch(() => null)
      if (answer?.status === 200) return name
    }
    return null
  }

  async members(): Promise<readonly Member[]> {
    for (const { restPort } of this.nodes) {
      const signal = AbortSignal.timeout(1_500)
      const members = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal })
        .then(async (answer) => ((await answer.json()) as { members?: readonly Member[] }).members)
        .catch(() => undefined)
      if (members !== undefined) return members
    }
    return []
  }

  /** Whether there are a primary, a synchronous standby and a third node on the same timeline, so that any one may be lost. */
  async isWhole(): Promise<boolean> {
    const members = await this.members()
    const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
    const count = (role: string) => running.filter((member) => member.role === role).length
    const timelines = new Set(running.map(({ timeline }) => timeline))
    return (
      running.length === NODES.length && timelines.size === 1 && count('leader') === 1 && count('sync_standby') >= 1
    )
  }

  async #createDatabase(): Promise<void> {
    const primary = this.nodes.find(({ name }) => name === NODES[0]) ?? this.#node(NODES[0] ?? '')
    const leading = (await this.primary()) ?? primary.name
    const { port } = this.#node(leading)
    const sql = [
      `create role portico login createrole password '${this.#passwords.portico}'`,
      `create database ${DATABASE} owner portico`,
    ]
    const env = { PGPASSWORD: this.#passwords.superuser }
    for (const statement of sql) {
      const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-c', statement]
      await this.#machine.run({ name: 'psql', command: `${POSTGRES_BIN}/psql`, args, env })
    }
  }

  /** JSON is YAML, so no library is needed to write it. */
  #configuration({ name, port, restPort, directory }: PostgresNode): object {
    const { superuser, replication, rewind } = this.#passwords
    return {
      scope: 'portico',
      name,
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
      // Not etcd3: with it Patroni 3.0.2 (Debian 12) writes the leader's key without comparing the previous value. So a primary
      // that was frozen for longer than `ttl` takes the key back from the node that replaced it, and what that node
      // acknowledged is lost.
      etcd: { hosts: this.#etcdHosts },
      bootstrap: {
        dcs: {
          // The shortest `ttl` that Patroni allows: a lost machine is replaced after 20 seconds.
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 6,
          // A PostgreSQL that crashed is replaced by the standby at once, and not started again first.
          master_start_timeout: 0,
          maximum_lag_on_failover: 1_048_576,
          // A commit waits until a standby has it. While no standby runs, all commits wait. So a failover loses no
          // acknowledged commit.
          synchronous_mode: true,
          synchronous_mode_strict: true,
          // While etcd has no majority, the primary stays as long as it reaches all other nodes.
          failsafe_mode: true,
          postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
        pg_hba: ['host replication replicator 127.0.0.1/32 scram-sha-256', ...ALL_BY_PASSWORD],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(directory, 'data'),
        bin_dir: POSTGRES_BIN,
        pgpass: join(directory, 'pgpass'),
        authentication: {
          superuser: { username: 'postgres', password: superuser },
          replication: { username: 'replicator', password: replication },
          rewind: { username: 'rewinder', password: rewind },
        },
        parameters: { unix_socket_directories: directory },
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    }
  }
}

const ALL_BY_PASSWORD = ['host all all 127.0.0.1/32 scram-sha-256']

const PARAMETERS = {
  max_connections: 200,
  shared_buffers: '128MB',
  autovacuum_naptime: '15s',
  wal_keep_size: '512MB',
  max_wal_size: '1GB',
  wal_log_hints: 'on',
  password_encryption: 'scram-sha-256',
  // With the default, commits would wait a minute for a frozen standby.
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
}

function password(): string {
  return randomBytes(18).toString('hex')
}

function signalAll({ directory }: PostgresNode, signal: NodeJS.Signals): void {
  const postmaster = postmasterOf(directory)
  if (postmaster === null) return
  for (const pid of familyOf(postmaster)) signalProcess(pid, signal)
}

const STOP_STEPS = 50
const STOP_STEP_MS = 100

/** Stops PostgreSQL at once, but lets it remove its shared memory, which is outside of its folder. */
async function stopPostgres(node: PostgresNode): Promise<void> {
  signalAll(node, 'SIGCONT')
  for (let step = 0; step < STOP_STEPS; step++) {
    const postmaster = postmasterOf(node.directory)
    if (postmaster === null) return
    signalProcess(postmaster, 'SIGQUIT')
    await wait(STOP_STEP_MS)
  }
  signalAll(node, 'SIGKILL')
}

/** The process id in PostgreSQL's own file, which a killed PostgreSQL leaves behind. Null if no such process runs. */
function postmasterOf(directory: string): number | null {
  try {
    const pid = Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0])
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes(directory) ? pid : null
  } catch {
    return null
  }
}
