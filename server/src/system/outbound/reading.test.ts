import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer, type Progress, READ_BYTES } from './answer.ts'
import { OUTBOUND_LIMITS } from './limits.ts'

type Seen = { readonly progress: Progress; readonly status: number; readonly text: string; readonly used: number }

/** As a connection reads: every piece into the same memory, and no further than to the end. */
function readIn(pieces: readonly Buffer[]): Seen {
  const answer = new Answer(OUTBOUND_LIMITS)
  const memory = Buffer.alloc(READ_BYTES)
  let progress: Progress = 'more'
  let used = 0
  answer.begin()
  for (const piece of pieces) {
    if (progress !== 'more') break
    memory.fill(0xee)
    piece.copy(memory)
    progress = answer.read(memory, piece.length)
    used += piece.length
  }
  return { progress, status: answer.status, text: answer.body.text(answer.head.packed), used }
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1')
/** As it comes where it comes at once: what does not fit is read next. */
function readWhole(text: string): Seen {
  const bytes = bytesOf(text)
  const count = Math.ceil(bytes.length / READ_BYTES)
  return readIn(Array.from({ length: count }, (_, nth) => bytes.subarray(nth * READ_BYTES, (nth + 1) * READ_BYTES)))
}
const byteByByte = (bytes: Buffer) => readIn(Array.from(bytes, (byte) => Buffer.of(byte)))

const HEAD = 'HTTP/1.1 200 OK\r\n'
const LENGTH = 'content-length: 2\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n'

describe('an answer that is read to its end, in one piece and byte by byte', () => {
  test.each([
    ['a length', `${HEAD}${LENGTH}\r\nok`, 'ok'],
    ['a length of nothing', `${HEAD}content-length: 0\r\n\r\n`, ''],
    ['chunks', `${HEAD}${CHUNKED}\r\n2\r\nok\r\nA\r\n0123456789\r\n0\r\n\r\n`, 'ok0123456789'],
    ['no reason', `HTTP/1.1 200\r\n${LENGTH}\r\nok`, 'ok'],
    ['an empty reason', `HTTP/1.1 200 \r\n${LENGTH}\r\nok`, 'ok'],
    ['letters beyond ASCII', `HTTP/1.1 200 \xe9\r\nx: \xe9\r\n${LENGTH}\r\nok`, 'ok'],
    ['blanks around a value', `${HEAD}Content-LENGTH: \t 2 \t\r\nx:\r\n\r\nok`, 'ok'],
    ['names like ours that are others', `${HEAD}content-lengtH2: 9\r\ncontent_length: 9\r\n${LENGTH}\r\nok`, 'ok'],
    [
      'interim answers before it',
      `HTTP/1.1 100 x\r\n\r\nHTTP/1.1 103 y\r\nlink: a\r\n\r\n${HEAD}${LENGTH}\r\nok`,
      'ok',
    ],
  ])('%s', (_, bytes, text) => {
    const whole = { progress: 'whole', status: 200, text, used: bytes.length }
    expect(readWhole(bytes)).toEqual(whole)
    expect(byteByByte(bytesOf(bytes))).toEqual(whole)
  })

  test.each(['204 No Content', '304 Not Modified'])('%s has no body', (status) => {
    expect(readWhole(`HTTP/1.1 ${status}\r\n\r\n`)).toMatchObject({ progress: 'whole', text: '' })
  })
})

describe('no answer at all', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['the beginning of another', 'nonsense'],
    ['another version', `HTTP/2.0 200 OK\r\n${LENGTH}\r\nok`],
    ['a version nobody made', `HTTP/1.2 200 OK\r\n${LENGTH}\r\nok`],
    ['small letters', `http/1.1 200 OK\r\n${LENGTH}\r\nok`],
    ['an empty line first', `\r\n${HEAD}${LENGTH}\r\nok`],
    ['two spaces before the status', `HTTP/1.1  200 OK\r\n${LENGTH}\r\nok`],
    ['a status of four digits', `HTTP/1.1 2000 OK\r\n${LENGTH}\r\nok`],
    ['a status of two', `HTTP/1.1 20 OK\r\n${LENGTH}\r\nok`],
    ['a status below all', `HTTP/1.1 099 OK\r\n${LENGTH}\r\nok`],
    ['a status of letters', `HTTP/1.1 2x0 OK\r\n${LENGTH}\r\nok`],
    ['lines that end with LF alone', `HTTP/1.1 200 OK\n${LENGTH}\r\nok`],
    ['a header that does', `${HEAD}x: y\n${LENGTH}\r\nok`],
    ['the empty line', `${HEAD}${LENGTH}\nok`],
    ['CR alone in a value', `${HEAD}x: a\rb\r\n${LENGTH}\r\nok`],
    ['NUL in a value', `${HEAD}x: a\0b\r\n${LENGTH}\r\nok`],
    ['NUL in a name', `${HEAD}x\0: a\r\n${LENGTH}\r\nok`],
    ['NUL in the reason', `HTTP/1.1 200 O\0K\r\n${LENGTH}\r\nok`],
    ['another control character', `${HEAD}x: \x7f\r\n${LENGTH}\r\nok`],
    ['a folded line', `${HEAD}x: a\r\n b\r\n${LENGTH}\r\nok`],
    ['one folded with a tab', `${HEAD}x: a\r\n\tcontent-length: 9\r\n${LENGTH}\r\nok`],
    ['a space before the colon', `${HEAD}content-length : 2\r\n\r\nok`],
    ['a line without a colon', `${HEAD}nonsense\r\n${LENGTH}\r\nok`],
    ['a header without a name', `${HEAD}: a\r\n${LENGTH}\r\nok`],
    ['a name that is no token', `${HEAD}x(y): a\r\n${LENGTH}\r\nok`],
    ['the length twice', `${HEAD}${LENGTH}${LENGTH}\r\nok`],
    ['two lengths', `${HEAD}${LENGTH}content-length: 3\r\n\r\nok`],
    ['a list of lengths', `${HEAD}content-length: 2, 2\r\n\r\nok`],
    ['a length with a sign', `${HEAD}content-length: +2\r\n\r\nok`],
    ['a negative length', `${HEAD}content-length: -2\r\n\r\nok`],
    ['a length in hex', `${HEAD}content-length: 0x2\r\n\r\nok`],
    ['an empty length', `${HEAD}content-length:\r\n\r\nok`],
    ['a length beyond counting', `${HEAD}content-length: 9999999999999999\r\n\r\nok`],
    ['a length and chunks', `${HEAD}${LENGTH}${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\n`],
    ['chunks and a length', `${HEAD}${CHUNKED}${LENGTH}\r\n2\r\nok\r\n0\r\n\r\n`],
    ['a length and another coding', `${HEAD}${LENGTH}transfer-encoding: identity\r\n\r\nok`],
    ['an interim answer with a body', `HTTP/1.1 100 x\r\n${LENGTH}\r\nok${HEAD}${LENGTH}\r\nok`],
    ['another protocol, unasked', `HTTP/1.1 101 x\r\nupgrade: h2c\r\n\r\n${HEAD}${LENGTH}\r\nok`],
    ['interim answers without end', 'HTTP/1.1 102 x\r\n\r\n'.repeat(9)],
    ['a status line without end', `${HEAD.trimEnd()}${'z'.repeat(16_384)}`],
    ['a header without end', `${HEAD}x: ${'z'.repeat(16_384)}`],
    ['too many headers', `${HEAD}${'x: y\r\n'.repeat(2_800)}\r\n`],
  ])('%s', (_, text) => {
    expect(readWhole(text)).toMatchObject({ progress: 'over', status: 0, text: '' })
    expect(byteByByte(bytesOf(text))).toMatchObject({ progress: 'over', status: 0, text: '' })
  })
})

describe('the status counts, and nothing that may follow', () => {
  test.each([
    ['bytes behind a length', `${HEAD}${LENGTH}\r\nokHTTP/1.1 500 x\r\n\r\n`, 'ok'],
    ['bytes behind the last chunk', `${HEAD}${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\nHTTP/1.1 500 x\r\n\r\n`, 'ok'],
    ['bytes behind 204', 'HTTP/1.1 204 x\r\n\r\nok', ''],
    ['204 with a length', 'HTTP/1.1 204 x\r\ncontent-length: 2\r\n\r\n', ''],
    ['204 with chunks', `HTTP/1.1 204 x\r\n${CHUNKED}\r\n`, ''],
    ['an extension', `${HEAD}${CHUNKED}\r\n2\r\nok\r\n2;a=b\r\nok\r\n0\r\n\r\n`, 'ok'],
    ['trailers', `${HEAD}${CHUNKED}\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n`, 'ok'],
    ['a size without digits', `${HEAD}${CHUNKED}\r\n2\r\nok\r\n\r\n`, 'ok'],
    ['a size that is none', `${HEAD}${CHUNKED}\r\n2\r\nok\r\n0x2\r\nok\r\n0\r\n\r\n`, 'ok'],
    ['a size with a space', `${HEAD}${CHUNKED}\r\n2\r\nok\r\n2 \r\nok\r\n0\r\n\r\n`, 'ok'],
    ['a size beyond all', `${HEAD}${CHUNKED}\r\n2\r\nok\r\n000000002\r\nok\r\n0\r\n\r\n`, 'ok'],
    ['a size that ends with LF alone', `${HEAD}${CHUNKED}\r\n2\nok\r\n0\r\n\r\n`, ''],
    ['a chunk longer than its size', `${HEAD}${CHUNKED}\r\n2\r\nokay\r\n0\r\n\r\n`, 'ok'],
    ['two codings', `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, ''],
    ['chunks twice', `${HEAD}${CHUNKED}${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\n`, ''],
    ['chunks in HTTP/1.0', `HTTP/1.0 200 OK\r\n${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\n`, ''],
    ['a body of too many bytes', `${HEAD}content-length: 16385\r\n\r\n${'x'.repeat(16_385)}`, 'x'.repeat(1_024)],
    ['a rest of too many', `${HEAD}\r\n${'x'.repeat(16_385)}`, 'x'.repeat(1_024)],
  ])('%s', (_, text, kept) => {
    const seen = readWhole(text)
    expect(seen).toMatchObject({ progress: 'over', text: kept })
    expect(seen.status).toBeGreaterThanOrEqual(200)
  })
})

/** Pieces of answers, good and bad, so that chance comes further than to the first byte. */
const fragment = fc.oneof(
  fc.constantFrom(
    HEAD,
    'HTTP/1.1 204 x\r\n',
    'HTTP/1.0 202 x\r\n',
    'HTTP/1.1 100 x\r\n\r\n',
    'HTTP/1.',
    '\r\n',
    '\n',
    '\r',
  ),
  fc.constantFrom(
    LENGTH,
    CHUNKED,
    'connection: close\r\n',
    'x: y\r\n',
    ' folded\r\n',
    'content-length: 0\r\n',
    ': \r\n',
  ),
  fc.constantFrom('2\r\nok\r\n', '0\r\n\r\n', 'ok', '0\r\n', 'ff;x\r\n', '\0', 'retry-after: 3\r\n'),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.array(fragment, { maxLength: 12 }).map((texts) => bytesOf(texts.join(''))),
  fc.array(fragment, { maxLength: 8 }).map((texts) => bytesOf(HEAD + texts.join(''))),
)

test('any bytes are read the same in any pieces', () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(300), { maxLength: 6 }), (bytes, cuts) => {
      const inOne = readIn([bytes])
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
      const pieces = places.slice(1).map((end, nth) => bytes.subarray(places[nth], end))
      for (const seen of [readIn(pieces), byteByByte(bytes)]) {
        expect([seen.status, seen.text]).toEqual([inOne.status, inOne.text])
        // Cut where an answer ends, it is whole, and what is behind it comes to nobody.
        const behind = seen.progress === 'whole' && seen.used < bytes.length
        expect(behind ? 'over' : seen.progress).toBe(inOne.progress)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('an answer is not remembered in the next', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const answer = new Answer(OUTBOUND_LIMITS)
      answer.begin()
      answer.read(bytes, bytes.length)
      answer.begin()
      const next = bytesOf('HTTP/1.1 503 x\r\nretry-after: 9\r\ncontent-length: 2\r\n\r\nok')
      expect(answer.read(next, next.length)).toBe('whole')
      const { close, stays, packed, retryAfter, keepAliveSeconds } = answer.head
      expect({
        status: answer.status,
        text: answer.body.text(packed),
        close,
        stays,
        retryAfter,
        keepAliveSeconds,
      }).toEqual({
        ...{ status: 503, text: 'ok', close: false, stays: false, retryAfter: '9', keepAliveSeconds: null },
      })
    }),
  )
})

describe('what is heeded besides', () => {
  function headOf(lines: string, version = '1.1') {
    const answer = new Answer(OUTBOUND_LIMITS)
    const bytes = bytesOf(`HTTP/${version} 204 x\r\n${lines}\r\n`)
    answer.begin()
    expect(answer.read(bytes, bytes.length)).toBe('whole')
    return answer
  }

  test.each([
    ['', true],
    ['connection: Keep-Alive\r\n', true],
    ['Connection: CLOSE\r\n', false],
    ['connection: upgrade, Close\r\n', false],
    ['connection: Upgrade, Keep-Alive\r\n', true],
    ['connection: keep-alive\r\nconnection: close\r\n', false],
    ['connectios: close\r\n', true],
  ])('whether the connection stays: %j', (lines, stays) => {
    expect(headOf(lines).stays).toBe(stays)
  })

  test('in HTTP/1.0 it ends unless it is said that it stays', () => {
    expect(headOf('', '1.0').stays).toBe(false)
    expect(headOf('connection: keep-alive\r\n', '1.0').stays).toBe(true)
  })

  test.each([
    ['timeout=5', 5],
    ['max=100, timeout=7', 7],
    ['TIMEOUT=7,max=3', 7],
    ['max=100', null],
    ['timeout=x', null],
  ])('Keep-Alive: %s', (value, seconds) => {
    expect(headOf(`keep-alive: ${value}\r\n`).head.keepAliveSeconds).toBe(seconds)
  })

  test.each([
    ['retry-after: 5\r\n', '5'],
    ['Retry-After: 5\r\nretry-after: 5\r\n', null],
    ['retry-aftes: 5\r\n', null],
  ])('%j', (lines, retryAfter) => {
    expect(headOf(lines).head.retryAfter).toBe(retryAfter)
  })

  test.each([
    ['', false],
    ['content-encoding: Identity\r\n', false],
    ['content-encoding: gzip\r\n', true],
    ['content-encoding: identity\r\ncontent-encoding: br\r\n', true],
    ['content-encoding: gzip\r\ncontent-encoding: identity\r\n', true],
  ])('packed: %j', (lines, packed) => {
    expect(headOf(lines).head.packed).toBe(packed)
  })
})
