import { readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@portico/embedded-postgres'
import { migrationsDirectory } from '#main/database-server.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'

/** A migrated PostgreSQL of the test's own, with streaming replicas. */
export type ReplicatedServer = {
  readonly url: string
  /** The folder with the data of the primary. */
  readonly folder: string
  readonly standbys: readonly Standby[]
  close(): Promise<void>
}

export type Standby = {
  readonly url: string
  readonly folder: string
  /** Sends a signal to all processes of the standby. */
  signal(signal: NodeJS.Signals): void
}

const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '10',
  synchronous_commit: 'on',
  // A standby cancels a statement at once if the statement prevents replaying.
  max_standby_streaming_delay: '0',
}

export async function replicatedServer(count: number): Promise<ReplicatedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-replicated-'))
  await chmod(directory, 0o755)
  const primaryFolder = join(directory, 'primary')
  const start = (dataDirectory: string, settings = {}) =>
    startEmbeddedPostgres({
      ...{ dataDirectory, database: 'portico', log: () => {}, durable: false, relocateTo: join(directory, 'data') },
      settings: { ...SETTINGS, ...settings },
    })
  const first = await start(primaryFolder)
  await migrate({ url: first.url, migrations: await readMigrations(migrationsDirectory), log: () => {} })
  await first.stop()
  const folders = Array.from({ length: count }, (_, at) => join(directory, `standby${at + 1}`))
  for (const each of folders) await copyAsStandby(primaryFolder, each)

  const primary = await start(primaryFolder)
  const servers: EmbeddedPostgres[] = []
  for (const each of folders) servers.push(await start(each, { primary_conninfo: conninfo(primary.url) }))
  return {
    url: primary.url,
    folder: primaryFolder,
    standbys: servers.map(({ url }, at) => {
      const folder = folders[at] ?? ''
      return { url, folder, signal: (signal) => signalAll(folder, signal) }
    }),
    close: async () => {
      for (const [at, server] of servers.entries()) {
        signalAll(folders[at] ?? '', 'SIGCONT')
        await server.stop()
      }
      await primary.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function copyAsStandby(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !/\/(lock|socket|socket-directory|binaries)$/.test(path) })
  const { uid, gid } = await stat(join(from, 'cluster'))
  await writeFile(join(to, 'cluster/standby.signal'), '')
  await chownAll(join(to, 'cluster'), uid, gid)
}

async function chownAll(path: string, uid: number, gid: number): Promise<void> {
  await chown(path, uid, gid)
  if (!(await stat(path)).isDirectory()) return
  for (const name of readdirSync(path)) await chownAll(join(path, name), uid, gid)
}

function conninfo(url: string): string {
  const { username, password, hostname, port } = new URL(url)
  return `host=${decodeURIComponent(hostname)} port=${port} user=${username} password=${decodeURIComponent(password)}`
}

/** Sends a signal to the server's first process and its children. */
function signalAll(folder: string, signal: NodeJS.Signals): void {
  const postmaster = postmasterOf(folder)
  if (postmaster === null) return
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const serverPids = pids.map(Number).filter((pid) => pid === postmaster || parentOf(pid) === postmaster)
  for (const pid of serverPids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended meanwhile.
    }
  }
}

function postmasterOf(folder: string): number | null {
  try {
    const pid = Number(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) ? pid : null
  } catch {
    return null
  }
}

function parentOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}
