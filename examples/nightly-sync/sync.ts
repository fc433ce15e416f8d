import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, installation, serverKey, sqliteStore, syncInvestments } from '@portico/sdk'
import { readSettings } from './settings.ts'

const { baseUrl, clientId, clientSecret } = await readSettings()
const file = process.env['SYNC_FILE'] ?? 'investments.db'
const mintWith = serverKey({ clientId, clientSecret })

/** Waits until a company has installed the app, and returns the first installation. */
async function findInstallation() {
  const server = new Client({ baseUrl, credential: mintWith })
  let isPrinted = false
  for (;;) {
    for await (const found of server.list('/installations')) {
      if (found.status === 'active' && found.target.type === 'company') return found
    }
    if (!isPrinted)
      console.log(`No company has installed the app yet. Install it here: ${baseUrl}/apps/${clientId}/install`)
    isPrinted = true
    await wait(2_000)
  }
}

const { id, target } = await findInstallation()
const client = new Client({ baseUrl, credential: installation({ id, mintWith, scopes: ['read:investments'] }) })
const database = new DatabaseSync(file)

// The first run lists all investments, and each later run requests the changes. After a killed run, the next run
// continues.
const { listed, stored, removed } = await syncInvestments({
  client,
  store: sqliteStore(database),
  onProgress: ({ pages, stored: storedSoFar }) => console.log(`page ${pages}: ${storedSoFar} stored`),
})

const rows = database
  .prepare(
    'select status, count(*) as count, sum(committed_cents) as cents, currency from portico_investments group by status, currency order by status',
  )
  .all()
console.log(
  `${target.name ?? target.id}: ${listed ? 'listed all' : 'requested changes'}, ${stored} stored, ${removed} removed.`,
)
for (const { status, count, cents, currency } of rows) {
  console.log(
    `  ${String(status).padEnd(10)} ${String(count).padStart(5)}  ${money(Number(cents ?? 0), String(currency ?? 'usd'))}`,
  )
}
database.close()

function money(cents: number, currency: string): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency })
}
