import { Pool } from 'pg'

/** Opens connections as the owner of a database, who sees all schemas. */
export function ownerPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 3 })
  // PostgreSQL ends idle connections when a proof restarts it or drops the database. After `end()`, too, a connection may
  // still be open at that moment. The pool then emits `error`, which would end the process without a listener.
  pool.on('error', () => {})
  return pool
}
