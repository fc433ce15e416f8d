import { onDatabase } from '../database.ts'

/** How the statement read one table. */
export type Look = {
  readonly table: string
  readonly how: string
  readonly rows: number
  readonly times: number
  /** Blocks of 8 KiB, index and table together. */
  readonly blocks: number
}

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Node[]
}

type Explained = { readonly Plan: Node; readonly 'Execution Time': number }

/**
 * EXPLAIN (ANALYZE, BUFFERS) of a prepared statement with its generic plan. The world is chosen as on the service's
 * connections.
 */
export async function explainPrepared(
  connectionString: string,
  { text, hash }: { readonly text: string; readonly hash: string },
): Promise<{ readonly looks: readonly Look[]; readonly ms: number }> {
  return await onDatabase(connectionString, async (client) => {
    await client.query(`set search_path = live; set role portico_live; set plan_cache_mode = force_generic_plan`)
    await client.query(`prepare explained (bytea[]) as ${text}`)
    const explain = async () => {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [Explained] }>(
        `explain (analyze, buffers, format json) execute explained (array[decode('${hash}', 'hex')])`,
      )
      const [row] = rows
      if (row === undefined) throw new Error('EXPLAIN returned no row')
      return row['QUERY PLAN'][0]
    }
    // The first run also reads PostgreSQL's system catalogue, which it then caches. Only the second run is measured.
    await explain()
    const explained = await explain()
    return { looks: looksOf(explained.Plan), ms: explained['Execution Time'] }
  })
}

function looksOf(node: Node): readonly Look[] {
  const below = (node.Plans ?? []).flatMap(looksOf)
  const table = node['Relation Name']
  if (table === undefined) return below
  const index = node['Index Name']
  const look = {
    table,
    how: index === undefined ? node['Node Type'] : `${node['Node Type']}, ${index}`,
    rows: node['Actual Rows'],
    times: node['Actual Loops'],
    blocks: node['Shared Hit Blocks'] + node['Shared Read Blocks'],
  }
  return [look, ...below]
}
