import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import type { PasswordHasher } from '../passwords.ts'

/** Records the names of the statements, the begin and end of each transaction, and each hash, in the order in which they run. */
export type RecordedWork = {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  /** Returns what ran since the last call. */
  take(): readonly string[]
}

/** Wraps a database and a hasher, and records what they do. */
export function recordedWork(platform: PlatformDatabase, hasher: PasswordHasher): RecordedWork {
  let done: string[] = []
  const recording = <Q extends PlatformQueries>(queries: Q): Q => ({
    ...queries,
    many: (statement, values) => noted(statement.name, () => queries.many(statement, values)),
    maybeOne: (statement, values) => noted(statement.name, () => queries.maybeOne(statement, values)),
    one: (statement, values) => noted(statement.name, () => queries.one(statement, values)),
    run: (statement, values) => noted(statement.name, () => queries.run(statement, values)),
  })
  const noted = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    done.push(name)
    return work()
  }
  return {
    platform: {
      transaction: (work) =>
        noted('begin', () => platform.transaction((tx) => work(recording(tx)))).finally(() => done.push('end')),
      reads: recording(platform.reads),
    },
    hasher: {
      hash: (password) => noted('hash', () => hasher.hash(password)),
      verify: (password, hash) => noted('hash', () => hasher.verify(password, hash)),
    },
    take() {
      const taken = done
      done = []
      return taken
    },
  }
}
