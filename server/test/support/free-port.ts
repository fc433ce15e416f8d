import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * These ports are below the range that systems use for port 0 and for outgoing connections. In that range, another
 * process may take a free port a moment later. Below it, a process gets only a port that it names.
 */
const [FIRST, COUNT] = [15_000, 15_000]

/** Each process starts at another number and continues from there. */
let next = randomInt(COUNT)

/** Returns a free port, for code that cannot listen on port 0 or must listen on the same port again. */
export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < COUNT; attempts++) {
    const port = FIRST + next
    next = (next + 1) % COUNT
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
