import { once } from 'node:events'
import { onDatabase } from '../database.ts'
import { startCommand } from '../service.ts'
import { publishedBy } from './publishing.ts'
import { companyId, installOn } from './readers.ts'

/** Seeds investments until the test world has this many. The service's worker then publishes the new ones. */
export async function seedInvestments(dataDirectory: string, count: number): Promise<void> {
  const child = startCommand('seed', ['--investments', String(count), '--world', 'test'], dataDirectory)
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`seed ended with ${code}:\n${output}`)
}

/** Does at once what autovacuum would do later. */
export async function settleLedger(url: string): Promise<void> {
  const tables = ['ledger_heads', 'ledger_departures', 'investments', 'users', 'offerings', 'company_people']
  await onDatabase(url, async (client) => {
    for (const table of tables) await client.query(`vacuum analyze test.${table}`)
  })
}

/** Seeds investments, waits until the service's worker has published them, and lets partners read the first companies. */
export async function fillLedger(dataDirectory: string, url: string, { count, readers }: Filled): Promise<void> {
  await seedInvestments(dataDirectory, count)
  await publishedBy(url)
  await settleLedger(url)
  await installOn(
    url,
    Array.from({ length: readers }, (_, at) => companyId(at)),
  )
}

type Filled = { readonly count: number; readonly readers: number }
