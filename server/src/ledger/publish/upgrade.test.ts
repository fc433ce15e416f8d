import { seedWorld } from '@portico/demo'
import { expect, test } from 'vitest'
import { migrationsDirectory } from '#main/database-server.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { statement } from '#system/postgres/statement.ts'
import { emptyDatabase } from '#test/database.ts'
import { publishAll } from '#test/ledger.ts'
import { PATIENT } from '#test/patient.ts'

const FORGET = statement(
  't.ledger_forget_changes',
  `delete from investment_changes where id < 'inv_0Seed0000000000000000150'`,
)
const UNPUBLISHED = statement<{ unpublished: string; published: string }>(
  't.ledger_unpublished',
  `select count(*) filter (where h.investment_id is null) as unpublished, count(h.investment_id) as published
     from investments i left join ledger_heads h on h.investment_id = i.id`,
)

test('investments that are older than the ledger are published, and so are seeded investments', async () => {
  const url = await emptyDatabase()
  const all = await readMigrations(migrationsDirectory)
  const before = all.filter(({ number }) => number < 21)
  expect(before.length).toBeLessThan(all.length)
  await migrate({ url, migrations: before, log: () => {} })
  const databases = await openDatabases({ url, poolSize: 2, times: PATIENT, onError: () => {} })
  try {
    const db = databases.test
    await seedWorld({ db, investments: 300, events: false, onProgress: () => {} })
    await db.transaction((tx) => tx.run(FORGET))
    await migrate({ url, migrations: all, log: () => {} })
    await publishAll(db)
    expect(await db.reads.one(UNPUBLISHED)).toEqual({ unpublished: '0', published: '300' })
    await seedWorld({ db, investments: 400, events: false, onProgress: () => {} })
    await publishAll(db)
    expect(await db.reads.one(UNPUBLISHED)).toEqual({ unpublished: '0', published: '400' })
  } finally {
    await databases.close()
  }
})
