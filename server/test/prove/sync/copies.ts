import * as nodeFiles from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Api, type InvestmentStore, type PostgresClient, postgresStore, sqliteStore } from '@portico/sdk'
import pg from 'pg'
import { type Files, openNdjson } from '../../../../sdk/src/sync/ndjson-store.ts'

/** Simulates a kill of the process: this step and all later steps fail. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/**
 * Counts the steps in which a run uses files or databases, or requests pages, and kills the run before a chosen step.
 */
export class Steps {
  #left: number

  constructor(dieAfter = Number.POSITIVE_INFINITY) {
    this.#left = dieAfter
  }

  get hasDied(): boolean {
    return this.#left < 0
  }

  take(): void {
    this.#left -= 1
    if (this.#left < 0) throw new Killed('the process was killed')
  }
}

export type Kind = 'sqlite' | 'postgres' | 'ndjson'
export const KINDS: readonly Kind[] = ['sqlite', 'postgres', 'ndjson']

/** One run of a program that maintains a copy. */
export type OpenCopy = {
  readonly store: InvestmentStore
  /** Closes the files and connections that the operating system closes when a process ends or is killed. */
  leave(): Promise<void>
}

/** A copy that remains after the programs that write it have ended. */
export type Copy = {
  open(steps: Steps): Promise<OpenCopy>
  /** Returns the records that another program reads from the copy. */
  records(): Promise<ReadonlyMap<string, Api.Investment>>
}

export function copyIn(
  kind: Kind,
  place: { readonly folder: string; readonly databaseUrl: string; readonly name: string },
): Copy {
  if (kind === 'sqlite') return sqliteCopy(join(place.folder, `${place.name}.db`))
  return kind === 'postgres'
    ? postgresCopy(place.databaseUrl, `copy_${place.name}`)
    : ndjsonCopy(join(place.folder, place.name))
}

const byId = (records: readonly Api.Investment[]) => new Map(records.map((record) => [record.id, record]))

function sqliteCopy(file: string): Copy {
  return {
    open: async (steps) => {
      const database = new DatabaseSync(file)
      const counted = {
        exec: (sql: string) => {
          steps.take()
          return database.exec(sql)
        },
        prepare: (sql: string) => {
          const prepared = database.prepare(sql)
          return {
            run: (...values: (string | number | null)[]) => {
              steps.take()
              return prepared.run(...values)
            },
            get: (...values: (string | number | null)[]) => {
              steps.take()
              return prepared.get(...values)
            },
          }
        },
      }
      const leave = async () => database.close()
      try {
        return { store: sqliteStore(counted), leave }
      } catch (error) {
        await leave()
        throw error
      }
    },
    records: async () => {
      const database = new DatabaseSync(file)
      const rows = database.prepare('select record from portico_investments').all()
      database.close()
      return byId(rows.map(({ record }) => JSON.parse(String(record))))
    },
  }
}

function postgresCopy(databaseUrl: string, table: string): Copy {
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    return client
  }
  return {
    open: async (steps) => {
      const client = await connect()
      const counted: PostgresClient = {
        query: async (text, values) => {
          steps.take()
          return client.query(text, values)
        },
      }
      return { store: postgresStore(counted, { table }), leave: () => client.end() }
    },
    records: async () => {
      const client = await connect()
      const { rows } = await client.query(`select record from ${table}`)
      await client.end()
      return byId(rows.map(({ record }) => record))
    },
  }
}

function ndjsonCopy(folder: string): Copy {
  return {
    open: async (steps) => {
      const opened: nodeFiles.FileHandle[] = []
      const leave = async () => {
        for (const handle of opened) await handle.close().catch(() => {})
        // The lock file names this process, which continues to run.
        await nodeFiles.rm(join(folder, 'lock'), { force: true })
      }
      const store = await openNdjson(folder, countedFiles(steps, opened)).catch(async (error: unknown) => {
        await leave()
        throw error
      })
      return { store, leave }
    },
    records: async () => {
      const lines = (await nodeFiles.readFile(join(folder, 'investments.ndjson'), 'utf8')).split('\n').slice(0, -1)
      return byId(lines.map((line) => JSON.parse(line)))
    },
  }
}

const WRITING = new Set<PropertyKey>(['appendFile', 'datasync', 'sync', 'truncate'])

/** Every call that opens, changes or renames a file is a step. An append that is killed writes half of its text. */
function countedFiles(steps: Steps, opened: nodeFiles.FileHandle[]): Files {
  const countedHandle = (handle: nodeFiles.FileHandle): nodeFiles.FileHandle =>
    new Proxy(handle, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return async (...values: unknown[]) => {
          const [text] = values
          try {
            if (WRITING.has(name)) steps.take()
          } catch (error) {
            if (name === 'appendFile' && typeof text === 'string')
              await target.appendFile(text.slice(0, text.length / 2))
            throw error
          }
          return member.apply(target, values)
        }
      },
    })
  const counted = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => {
    return async (...values: A) => {
      steps.take()
      return work(...values)
    }
  }
  return {
    ...nodeFiles,
    rename: counted(nodeFiles.rename),
    open: async (...values) => {
      const handle = await counted(nodeFiles.open)(...values)
      opened.push(handle)
      return countedHandle(handle)
    },
  }
}

/** Stores with one defect each. The proof must find each defect. */
export const MUTANTS: Readonly<Record<string, (store: InvestmentStore) => InvestmentStore>> = {
  'the cursor is stored before the rows': (store) => ({
    ...store,
    apply: async (page) => {
      await store.apply({ ...page, records: [], removed: [], endsListing: false })
      await store.apply({ ...page, from: page.to })
    },
  }),
  'tombstones are ignored': (store) => ({ ...store, apply: (page) => store.apply({ ...page, removed: [] }) }),
  'the rows of an older listing stay': (store) => ({
    ...store,
    apply: (page) => store.apply({ ...page, endsListing: false }),
  }),
}
