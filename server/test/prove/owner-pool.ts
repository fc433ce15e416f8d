import { Pool } from 'pg'

/** Opens connections as the owner of a database, who sees all schemas. */
export function ownerPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 3 })
  // PostgreSQL ends an idle connection when a proof restarts PostgreSQL, and when the database is dropped, because `end()`
  // resolves before the connections are closed. The pool drops such a connection. Without a listener for `error`, the
  // event would end the process.
  pool.on('error', () => {})
  return pool
}
