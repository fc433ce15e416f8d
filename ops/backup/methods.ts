import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from '../support/machine.ts'
import { type Release, runCommand, type Settings } from '../support/portico.ts'
import { PostgresServer } from '../support/postgres-server.ts'

/** One way to back up and restore. Its functions do what an operator types, in this order. */
export type Method = {
  readonly name: string
  /** The restored database has everything that was acknowledged before the backup began, or before `mark()`. */
  readonly restoresTo: 'the backup' | 'the mark'
  /** Settings of PostgreSQL that this method needs. */
  readonly settings: readonly string[]
  /** Runs once, before any backup. */
  prepare(): Promise<void>
  /** Runs while the service runs. */
  backUp(): Promise<void>
  /** Records the moment to which the database will be restored. */
  mark(): Promise<void>
  /** Restores into a new server, after the old one is gone. */
  restore(): Promise<PostgresServer>
  /** Runs what the operator must run before Portico starts. It does nothing if the publisher notices the restore by itself. */
  afterwards(release: Release, settings: Settings): Promise<void>
}

/** Restores the moment at which `pg_dump` made its dump. */
export function byDump(machine: Machine, server: () => PostgresServer): Method {
  const file = (name: string) => join(server().directory, '..', 'dump', name)
  return {
    name: 'pg_dump',
    restoresTo: 'the backup',
    settings: [],
    prepare: async () => void (await machine.folder('dump')),
    backUp: async () => {
      // The dump grants rights to the roles of the two worlds, but does not contain these roles.
      await server().tool('pg_dumpall', [
        '-U',
        'postgres',
        '--roles-only',
        '--no-role-passwords',
        '-f',
        file('roles.sql'),
      ])
      await server().tool('pg_dump', ['-U', 'postgres', '-d', 'portico', '--format=custom', '-f', file('portico.dump')])
    },
    // The database is restored to the moment of the dump.
    mark: async () => {},
    restore: async () => {
      const next = await PostgresServer.create(machine, 'restored-dump')
      // psql reports roles that exist already, and leaves them as they are.
      await next.tool('psql', ['-U', 'postgres', '-d', 'postgres', '-q', '-f', file('roles.sql')])
      const restore = ['-U', 'postgres', '-d', 'portico', '--exit-on-error', file('portico.dump')]
      await next.tool('pg_restore', restore)
      return next
    },
    afterwards: async (release, settings) => {
      for (const world of ['test', 'live']) {
        await runCommand(machine, release, { name: 'new-epoch', args: ['--world', world], settings })
      }
    },
  }
}

const STANZA = 'portico'

/** pgBackRest, which restores any moment after a base backup. It needs that backup and the archived write-ahead log. */
export function byPgBackRest(machine: Machine, server: () => PostgresServer): Method {
  const configuration = join(machine.directory, 'pgbackrest.conf')
  let target = ''
  const pgbackrest = (data: string, args: readonly string[]) =>
    machine.run({
      name: 'pgbackrest',
      command: '/usr/bin/pgbackrest',
      args: [`--config=${configuration}`, `--stanza=${STANZA}`, `--pg1-path=${data}`, ...args],
      asPostgres: true,
    })
  const archive = `pgbackrest --config=${configuration} --stanza=${STANZA} archive-push %p`
  return {
    name: 'pgBackRest, point in time',
    restoresTo: 'the mark',
    settings: ['archive_mode=on', `archive_command=${archive}`, 'archive_timeout=60'],
    prepare: async () => {
      const folders = await Promise.all(
        ['repository', 'backrest-log', 'backrest-lock'].map((name) => machine.folder(name)),
      )
      const [repository = '', log = '', lock = ''] = folders
      const { data, port, directory } = server()
      const lines = [
        [
          '[global]',
          `repo1-path=${repository}`,
          `log-path=${log}`,
          `lock-path=${lock}`,
          'start-fast=y',
          'repo1-retention-full=2',
        ],
        [`[${STANZA}]`, `pg1-path=${data}`, `pg1-port=${port}`, `pg1-socket-path=${directory}`, 'pg1-user=postgres'],
      ]
      await machine.file('pgbackrest.conf', `${lines.flat().join('\n')}\n`)
      await pgbackrest(data, ['stanza-create'])
    },
    backUp: async () => void (await pgbackrest(server().data, ['--type=full', 'backup'])),
    mark: async () => {
      target = (await server().sql('select clock_timestamp()')).trim()
    },
    restore: async () => {
      const next = await PostgresServer.inFolder(machine, 'restored-point-in-time')
      await rm(next.data, { recursive: true, force: true })
      await pgbackrest(next.data, ['--type=time', `--target=${target}`, '--target-action=promote', 'restore'])
      await next.start()
      return next
    },
    // Recovery begins a new timeline, which the publisher notices.
    afterwards: async () => {},
  }
}
