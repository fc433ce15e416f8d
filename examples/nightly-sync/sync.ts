import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, installation, serverKey, sqliteStore, syncInvestments } from '@portico/sdk'
import { readSettings } from './settings.ts'

const { baseUrl, clientId, clientSecret } = await readSettings()
const file = process.env['SYNC_FILE'] ?? 'investments.db'
const mintWith = serverKey({ clientId, clientSecret })

/** The company whose investments are copied: the first that installed the app. */
async function findInstallation() {
  const server = new Client({ baseUrl, credential: mintWith })
  let isAsked = false
  for (;;) {
    for await (const found of server.list('/installations')) {
      if (found.status === 'active' && found.target.type === 'company') return found
    }
    if (!isAsked) console.log(`No company has installed the app yet. Do it here: ${baseUrl}/apps/${clientId}/install`)
    isAsked = true
    await wait(2_000)
  }
}

const { id, target } = await findInstallation()
const client = new Client({ baseUrl, credential: installation({ id, mintWith, scopes: ['read:investments'] }) })
const database = new DatabaseSync(file)

// The first run lists everything, each later one asks for what has changed. A run that is killed is continued by the next one.
const { listed, stored, removed } = await syncInvestments({
  client,
  store: sqliteStore(database),
  onProgress: ({ pages, stored: soFar }) => console.log(`page ${pages}: ${soFar} stored`),
})

const rows = database
  .prepare(
    'select status, count(*) as count, sum(committed_cents) as cents, currency from portico_investments group by status, currency order by status',
  )
  .all()
console.log(
  `${target.name ?? target.id}: ${listed ? 'listed all' : 'asked for changes'}, ${stored} stored, ${removed} removed.`,
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
