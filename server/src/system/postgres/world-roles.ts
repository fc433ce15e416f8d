import { type Client, DatabaseError } from 'pg'
import { WORLDS } from '#kernel/world.ts'
import { worldRole } from './connection.ts'

/**
 * Gives each world a role that has no rights in the other world. Both roles may use the platform's shared tables, except for
 * deletes, which only the platform handle does. Every `migrate` ends with it, so that new tables are covered. If the database
 * user may not create roles, only search_path separates the worlds, and the log says so.
 */
export async function grantWorldRights(client: Client, log: (message: string) => void): Promise<void> {
  for (const world of WORLDS) {
    const role = worldRole(world)
    if (!(await ensureRole(client, role))) {
      log(`this database user may not create roles: only schemas separate the worlds (wanted ${role})`)
      return
    }
    await client.query(`
      grant usage on schema ${world}, platform to ${role};
      grant select, insert, update, delete on all tables in schema ${world} to ${role};
      grant select, insert, update on all tables in schema platform to ${role};
      revoke insert, update on platform.migrations from ${role};
      grant usage on all sequences in schema ${world} to ${role};
      grant usage on all sequences in schema platform to ${role}`)
  }
}

const DUPLICATE_OBJECT = '42710'
const UNIQUE_VIOLATION = '23505'
const INSUFFICIENT_PRIVILEGE = '42501'

/** Roles belong to the whole cluster: another database in it may be creating the same role at this moment. */
async function ensureRole(client: Client, role: string): Promise<boolean> {
  try {
    const { rowCount } = await client.query('select from pg_catalog.pg_roles where rolname = $1', [role])
    if (rowCount === 0) await client.query(`create role ${role} nologin`)
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return false
    if (sqlState(error) !== DUPLICATE_OBJECT && sqlState(error) !== UNIQUE_VIOLATION) throw error
  }
  try {
    await client.query(`grant ${role} to current_user`)
    return true
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return false
    // The migrator of another database in this cluster granted the role at the same moment.
    if (sqlState(error) === UNIQUE_VIOLATION || /tuple concurrently updated/.test(String(error))) return true
    throw error
  }
}

function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}
