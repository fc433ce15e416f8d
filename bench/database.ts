import pg from 'pg'

/** Opens a connection for the duration of the work. */
export async function onDatabase<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Creates a database in the server of this URL, and returns the URL of the database. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  await onDatabase(serverUrl, (client) => client.query(`create database ${name}`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Reads the settings that decide whether a commit is durable. */
export async function readDurability(connectionString: string): Promise<string> {
  return await onDatabase(connectionString, async (client) => {
    const { rows } = await client.query<{ text: string }>(
      `select string_agg(name || ' ' || setting, ', ' order by name) as text from pg_settings
        where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
    )
    return rows[0]?.text ?? ''
  })
}

export async function countRows(connectionString: string, from: string): Promise<number> {
  return await onDatabase(connectionString, async (client) => {
    const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${from}`)
    return Number(rows[0]?.count)
  })
}
