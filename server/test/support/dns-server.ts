import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

export type Question = { readonly name: string; readonly family: 4 | 6 }

/** A name server on loopback that gives the answers of the test. */
export type DnsServer = {
  /** For `nameResolver({ servers: [address] })`. */
  readonly address: string
  readonly questions: readonly Question[]
  close(): Promise<void>
}

/**
 * Returns the addresses of the requested family. An empty list means that the name does not exist, null means no
 * response.
 */
export type DnsAnswer = (question: Question, nth: number) => readonly string[] | null

const TYPE_OF = { 4: 1, 6: 28 } as const
const NO_SUCH_NAME = 3

/** `nth` counts the requests for this name and family, from 1. */
export async function dnsServer(answer: DnsAnswer): Promise<DnsServer> {
  const questions: Question[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const question = questionIn(message)
    questions.push(question)
    const nth = questions.filter(({ name, family }) => name === question.name && family === question.family).length
    const addresses = answer(question, nth)
    if (addresses !== null) socket.send(reply(message, question, addresses), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

const HEADER_BYTES = 12

/** A question has labels with their lengths, a zero, the type and the class (RFC 1035, 4.1.2). */
function questionIn(message: Buffer): Question {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), family: message.readUInt16BE(at + 1) === TYPE_OF[6] ? 6 : 4 }
}

function reply(message: Buffer, { name, family }: Question, addresses: readonly string[]): Buffer {
  const ofFamily = addresses.filter((address) => isIP(address) === family)
  const header = Buffer.alloc(HEADER_BYTES)
  message.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8580 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(ofFamily.length, 6)
  const questionBytes = message.subarray(HEADER_BYTES, HEADER_BYTES + name.length + 2 + 4)
  return Buffer.concat([header, questionBytes, ...ofFamily.map((address) => record(address, TYPE_OF[family]))])
}

/** A record has the name as a pointer to the question, the type, class IN, a time to live of 0, and the address. */
function record(address: string, type: number): Buffer {
  const data = type === TYPE_OF[4] ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const [before, after] = [left, right].map((part) => part.split(':').filter((group) => group !== ''))
  const groups = [...(before ?? []), ...(after ?? [])]
  const zeros = Array.from({ length: 8 - groups.length }, () => '0')
  const all = [...(before ?? []), ...zeros, ...(after ?? [])]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
