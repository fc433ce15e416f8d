import { Redis } from 'ioredis'

/** Nobody waits longer for their count than this, and only the first who find out that Redis is lost. */
const SILENCE_MS_MAX = 500
const CONNECT_WITHIN_MS = 2_000
const RECONNECT_EVERY_MS_MAX = 1_000

/**
 * A connection that never makes a request wait for Redis to come back: what cannot be sent fails at once, silence is taken
 * for a loss, and the connection is made again by itself, for as long as it takes.
 */
export function openRedis(url: string): Redis {
  return new Redis(url, {
    // What every Redis and Valkey speaks.
    protocol: 2,
    connectionName: 'portico',
    socketTimeout: SILENCE_MS_MAX,
    connectTimeout: CONNECT_WITHIN_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_EVERY_MS_MAX),
    // A primary that became a replica: its name leads to another one by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })
}
