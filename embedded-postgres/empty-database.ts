import { Client } from 'pg'

/** Makes one database of the cluster anew. The caller holds the server, so nothing else is using it. */
export async function emptyDatabase(url: string, database: string): Promise<void> {
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  const client = new Client({ connectionString: maintenance.href })
  await client.connect()
  try {
    await client.query(`drop database if exists ${client.escapeIdentifier(database)} with (force)`)
    await client.query(`create database ${client.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}
