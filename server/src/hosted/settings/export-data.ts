import type { Write } from '#http/response-bodies.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import type { Databases } from '#system/postgres/database.ts'
import { platformRows } from './personal-platform-store.ts'
import { ROWS_MAX } from './personal-tables-store.ts'
import { addressesOfUser, worldRows } from './personal-world-store.ts'
import { ownUser } from './store.ts'

type Person = { readonly account: Id<'account'>; readonly email: string }

/**
 * Writes everything that is held about a person as one JSON document, table by table. An address of a user counts only in that
 * user's world: the account's own address is proven, and a world's is the platform's word.
 */
export async function exportData(databases: Databases, { account, email }: Person, write: Write): Promise<void> {
  const incomplete: string[] = []
  await write(
    `{\n"format": "portico-personal-data-1",\n"exported_at": ${JSON.stringify(new Date().toISOString())},\n"platform": {`,
  )
  const addresses = [email.toLowerCase()]
  await writeTables(platformRows(databases.platform.reads, { account, addresses }), write, (table) =>
    incomplete.push(`platform.${table}`),
  )
  for (const world of WORLDS.toReversed()) {
    const { reads } = databases[world]
    const user = await ownUser({ queries: reads, world }, account)
    await write(`},\n"${world}": {`)
    if (user === null) continue
    const person = { user: user.id, addresses: await addressesOfUser(reads, user.id) }
    await writeTables(worldRows(reads, person), write, (table) => incomplete.push(`${world}.${table}`))
  }
  await write(`},\n"incomplete": ${JSON.stringify(incomplete)},\n"rows_of_a_table_at_most": ${ROWS_MAX}\n}\n`)
}

type Tables = AsyncIterable<{ readonly table: string; readonly rows: readonly string[] }>

async function writeTables(tables: Tables, write: Write, onCut: (table: string) => void): Promise<void> {
  let separator = '\n'
  for await (const { table, rows } of tables) {
    if (rows.length > ROWS_MAX) onCut(table)
    await write(`${separator}"${table}": [${rows.slice(0, ROWS_MAX).join(',\n')}]`)
    separator = ',\n'
  }
}
