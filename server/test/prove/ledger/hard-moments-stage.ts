import type { Id } from '#kernel/ids.ts'
import type { Derivation } from '#ledger/derive/record.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import type { TestDatabase } from '#test/database.ts'
import type { Faults } from '../fault-injection.ts'
import type { Findings } from './findings.ts'
import type { FixedData } from './fixed-data.ts'
import type { Bookmark, Reader } from './reader.ts'

/** The environment of the hard moments: its own data, one server, four readers, and publishers. */
export type HardMomentsStage = {
  readonly db: TestDatabase
  readonly findings: Findings
  /** The version of `derivation`. */
  readonly version: number
  readonly fixed: FixedData
  readonly derivation: Derivation
  readonly readers: { reader: Reader; readonly marks: Bookmark[] }[]
  /** The existing investments, in the order of their creation. */
  readonly stock: Id<'investment'>[]
  /** Returns an increasing number. */
  next(): number
  write(work: (tx: Tx) => Promise<unknown>): Promise<void>
  publisher(faults: Faults): WorldDatabase
  /**
   * Registers work that runs once: in the middle of a read if a mutant splits the read, otherwise when the test calls
   * `happens`.
   */
  meanwhile(what: () => Promise<void>): void
  happens(): Promise<void>
  /** Publishes all changes and compares the readers. */
  agree(): Promise<void>
}
