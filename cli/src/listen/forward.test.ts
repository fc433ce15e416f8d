import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { forward } from './forward.ts'
import { newDeliveryId, newSigningSecret } from './signature.ts'

const SIGNING = {
  ...{ header: 'Portico-Signature', secret: newSigningSecret(), deliveryId: newDeliveryId(), timestampSeconds: 0 },
  body: Buffer.from('{}'),
}

/** Starts a server that accepts connections. `onData` is called when the client has sent something. */
async function tcpServer(onData: (close: () => void) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => onData(() => socket.destroy()))
    onTestFinished(() => void socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a connection that does not open in time is refused, because the event was not sent', async () => {
  // The server accepts the connection and does not take part in the TLS handshake.
  const port = await tcpServer(() => {})
  const forwarded = await forward(`https://127.0.0.1:${port}/`, SIGNING, new AbortController().signal, 50)
  expect(forwarded).toEqual({ outcome: 'refused', reason: 'no connection within 0.05 s' })
})

test('a connection that the receiver closes after the request gives no answer', async () => {
  const port = await tcpServer((close) => close())
  const forwarded = await forward(`http://127.0.0.1:${port}/`, SIGNING, new AbortController().signal)
  expect(forwarded).toMatchObject({ outcome: 'no_answer' })
})
