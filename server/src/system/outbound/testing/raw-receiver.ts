import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A receiver without an HTTP library: for every complete request it calls `behave`, which writes raw bytes or misbehaves. */
export type RawReceiver = {
  readonly url: string
  readonly port: number
  /** The number of all connections so far, and of the open ones. */
  readonly connections: { made: number; open: number }
  readonly requests: readonly string[]
  /** Resolves when the last open connection is closed. */
  allGone(): Promise<void>
  close(): Promise<void>
}

type Behaviour = (socket: Socket, nth: number) => void
type Greeting = (socket: Socket) => void

/** `greet` is called for every connection before any byte is received. */
export async function rawReceiver(
  behave: Behaviour,
  host = '127.0.0.1',
  greet: Greeting = () => {},
): Promise<RawReceiver> {
  const connections = { made: 0, open: 0 }
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.made += 1
    connections.open += 1
    sockets.add(socket)
    socket.on('error', () => {})
    // `behave` may end the receiver's side first. The connection ends when the sender ends its side too.
    socket.once('end', () => socket.destroy())
    socket.once('close', () => {
      connections.open -= 1
      sockets.delete(socket)
      server.emit('gone')
    })
    greet(socket)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const length = wholeLength(text)
      if (length === null) return
      requests.push(text.slice(0, length))
      text = text.slice(length)
      behave(socket, requests.length)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    port,
    connections,
    requests,
    async allGone() {
      while (connections.open > 0) await once(server, 'gone')
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function wholeLength(text: string): number | null {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return null
  const length = head + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
  return text.length >= length ? length : null
}
