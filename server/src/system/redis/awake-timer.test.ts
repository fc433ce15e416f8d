import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { awakeTimer } from './redis-counter.ts'

/** Blocks the event loop. */
function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('a timer that counts only the time in which sockets are read', () => {
  test('does not expire because of a stall longer than the limit: a response that arrived meanwhile is read first', async () => {
    const server = createServer((socket) => socket.on('data', (bytes) => socket.write(bytes))).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const socket = connect(address.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    const order: string[] = []
    const cancel = awakeTimer(100, () => order.push('expired'))
    onTestFinished(cancel)
    const answered = new Promise<void>((resolve) => {
      socket.once('data', () => {
        order.push('answer')
        resolve()
      })
    })
    socket.write('question')
    stall(400)
    await answered
    expect(order).toEqual(['answer'])
  })

  test('expires once without a stall, and never after it was canceled', async () => {
    let [expired, canceled] = [0, 0]
    awakeTimer(10, () => canceled++)()
    awakeTimer(30, () => expired++)
    await expect.poll(() => expired).toBe(1)
    expect([expired, canceled]).toEqual([1, 0])
  })
})
