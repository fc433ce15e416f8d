import { once } from 'node:events'
import { onDatabase } from '../database.ts'
import { startCommand } from '../service.ts'

/** Seeds this many investments, which the service's worker then publishes. */
export async function seedInvestments(dataDirectory: string, count: number): Promise<void> {
  const child = startCommand('seed', ['--investments', String(count), '--world', 'test'], dataDirectory)
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`seed ended with ${code}:\n${output}`)
}

/** Like autovacuum. */
export async function settleLedger(url: string): Promise<void> {
  const tables = ['ledger_heads', 'ledger_departures', 'investments', 'users', 'offerings', 'company_people']
  await onDatabase(url, async (client) => {
    for (const table of tables) await client.query(`vacuum analyze test.${table}`)
  })
}
