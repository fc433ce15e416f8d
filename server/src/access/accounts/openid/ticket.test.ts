import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyring } from '#system/crypto/keyring.ts'
import { movableClock } from '#test/clock.ts'
import { identityOf } from './provider.ts'
import { readTicketCookie, ticketCookie, tickets } from './ticket.ts'

const TICKET = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/x' }

test('a ticket can be opened for ten minutes, even after its secret was replaced by a new one', () => {
  const [old, clock] = [randomBytes(32).toString('hex'), movableClock()]
  const sealed = tickets(keyring(old), clock).seal(TICKET)
  const rotated = tickets(keyring(randomBytes(32).toString('hex'), [old]), clock)
  clock.advance(599_999)
  expect(rotated.open(sealed)).toEqual(TICKET)
  clock.advance(1)
  expect(rotated.open(sealed)).toBeNull()
  expect(tickets(keyring('another'), movableClock()).open(sealed)).toBeNull()
})

test('with https, browsers send the ticket’s cookie only to this host', () => {
  expect(ticketCookie(true, 'abc')).toBe(
    '__Host-portico-openid=abc; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
  )
  expect(ticketCookie(true, null)).toContain('__Host-portico-openid=; Path=/; Max-Age=0')
  expect(readTicketCookie(true, 'a=b; __Host-portico-openid=abc')).toBe('abc')
  expect(readTicketCookie(true, 'portico-openid=planted')).toBeUndefined()
  expect(readTicketCookie(false, undefined)).toBeUndefined()
})

test.each([
  [
    { email: 'a@b.c', email_verified: true, name: ' Ada ' },
    { verifiedEmail: 'a@b.c', name: 'Ada' },
  ],
  [
    { email: 'a@b.c', email_verified: 'true' },
    { verifiedEmail: 'a@b.c', name: null },
  ],
  [{ email: 'a@b.c' }, { verifiedEmail: null }],
  [{ email: 'a@b.c', email_verified: 'yes' }, { verifiedEmail: null }],
  [{ email: 'a@b.c', email_verified: 1 }, { verifiedEmail: null }],
  [{ email: 'a b@c', email_verified: true }, { verifiedEmail: null }],
  [{ email: 'a\u202e@b.c', email_verified: true }, { verifiedEmail: null }],
  [{ email: '<a@b.c>', email_verified: true }, { verifiedEmail: null }],
  [{ email: 'a@b.c,d', email_verified: true }, { verifiedEmail: null }],
  [{ email: `${'a'.repeat(250)}@b.cc`, email_verified: true }, { verifiedEmail: null }],
  [
    { email: ['a@b.c'], email_verified: true, name: 7 },
    { verifiedEmail: null, name: null },
  ],
  [{ name: 'two\nlines' }, { name: null }],
])('the claims %j give the identity %j', (claims, taken) => {
  expect(identityOf('https://id.example', 'x', claims)).toMatchObject(taken)
})
