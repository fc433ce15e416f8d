import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range that systems use for port 0 and for outgoing connections: a free port of that range may be taken by another
 * process a moment later. These ports are used only on request.
 */
const [FIRST, COUNT] = [15_000, 15_000]

/** Each process starts at another number and continues from there. */
let next = randomInt(COUNT)

/** For code that cannot choose a port itself (port 0), or returns to the same one. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried++) {
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
