import type { Id } from '#kernel/ids.ts'
import type { Derivation } from '#ledger/derive/record.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import type { TestDatabase } from '#test/database.ts'
import type { Faults } from '../fault-injection.ts'
import type { Findings } from './findings.ts'
import type { FixedData } from './fixed-data.ts'
import type { Bookmark, Reader } from './reader.ts'

/** The place of the hard moments: its own data, one server, four readers, and publishers. */
export type HardMomentsStage = {
  readonly db: TestDatabase
  readonly findings: Findings
  /** The version of `derivation`. */
  readonly version: number
  readonly fixed: FixedData
  readonly derivation: Derivation
  readonly readers: { reader: Reader; readonly marks: Bookmark[] }[]
  /** The existing investments, in the order of their ids. */
  readonly stock: Id<'investment'>[]
  /** An increasing number. */
  next(): number
  write(work: (tx: Tx) => Promise<unknown>): Promise<void>
  publisher(faults: Faults): WorldDatabase
  /** Sets work to run once: in the middle of a read if a mutant splits the read, otherwise when `happens` is called. */
  meanwhile(what: () => Promise<void>): void
  happens(): Promise<void>
  /** Publishes everything and compares. */
  agree(): Promise<void>
}
