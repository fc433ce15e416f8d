import { Pool } from 'pg'

/** Opens connections as the owner of a database, who sees all schemas. */
export function ownerPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 3 })
  // PostgreSQL ends idle connections when a proof restarts the server or drops the database. Even after `end()` a
  // connection may still be open then. The pool emits `error`, and without this listener `error` would end the process.
  pool.on('error', () => {})
  return pool
}
