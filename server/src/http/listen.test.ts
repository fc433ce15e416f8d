import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listenOn } from './listen.ts'

/** Sends a GET request to this address, as if the host name of the URL resolved only to this address. */
function get(url: string, address: '127.0.0.1' | '::1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { host: address, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', resolve)
    })
    sent.on('error', reject).end()
  })
}

async function listening(host: string, port = 0) {
  const server = createHttpServer((_, response) => response.end('here'))
  const { address, close } = await listenOn(server, { host, port })
  onTestFinished(async () => {
    if (!server.listening) return
    server.closeAllConnections()
    await close()
  })
  return { server, address, close, port: Number(new URL(address).port) }
}

async function occupy(host: string, port = 0): Promise<number> {
  const server: Server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}

describe('localhost', () => {
  test.each(['127.0.0.1', '::1'] as const)('is reachable if the name resolves only to %s', async (address) => {
    const { address: url } = await listening('localhost')
    expect(url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(await get(url, address)).toBe('here')
  })

  test('refuses connections on both addresses after the server is closed', async () => {
    const { address: url, close } = await listening('localhost')
    await close()
    await expect(get(url, '127.0.0.1')).rejects.toThrow('ECONNREFUSED')
    await expect(get(url, '::1')).rejects.toThrow('ECONNREFUSED')
  })

  test.each(['127.0.0.1', '::1'] as const)(
    'listening fails if another program uses the port on %s, because a browser could reach that program instead',
    async (address) => {
      const port = await occupy(address)
      const server = createHttpServer()
      await expect(listenOn(server, { host: 'localhost', port })).rejects.toThrow('EADDRINUSE')
      expect(server.listening).toBe(false)
    },
  )

  test('a server can listen on another port after its port was taken', async () => {
    const port = await occupy('::1')
    const server = createHttpServer((_, response) => response.end('here'))
    await expect(listenOn(server, { host: 'localhost', port })).rejects.toThrow('EADDRINUSE')
    const { address, close } = await listenOn(server, { host: 'localhost', port: 0 })
    expect(await get(address, '::1')).toBe('here')
    server.closeAllConnections()
    await close()
  })
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:'],
  ['::1', 'http://[::1]:'],
  ['0.0.0.0', 'http://127.0.0.1:'],
])('with HOST %s the address for clients begins with %s', async (host, expected) => {
  const { address } = await listening(host)
  expect(address.startsWith(expected)).toBe(true)
})
