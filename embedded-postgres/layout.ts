import { join } from 'node:path'

/**
 * What lies in the data directory. The cluster is a directory of its own inside it, because PostgreSQL wants its
 * directory empty at first and owned by its own user, while the rest belongs to the user who runs Node.
 */
export type Layout = {
  readonly home: string
  readonly cluster: string
  readonly password: string
  readonly lock: string
  readonly log: string
  readonly previousLog: string
  readonly socket: string
  readonly socketRecord: string
  readonly binaries: string
}

export function layoutOf(home: string): Layout {
  return {
    home,
    cluster: join(home, 'cluster'),
    password: join(home, 'password'),
    lock: join(home, 'lock'),
    log: join(home, 'postgres.log'),
    previousLog: join(home, 'postgres.previous.log'),
    socket: join(home, 'socket'),
    socketRecord: join(home, 'socket-directory'),
    binaries: join(home, 'binaries'),
  }
}

/** A cluster is made in a directory of this name first, so that a half-made one is never taken for a whole one. */
export const INITIALISING_PREFIX = 'initialising-'
