import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Delivered, Inbox, isGenuine } from '../../../docs/examples/join-session.ts'

const SECRET = 'whsec_example'
const BODY = Buffer.from('{"id":"evt_1"}')
const now = () => Math.floor(Date.now() / 1_000)

function signed(time: number, { secret = SECRET, body = BODY } = {}): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`
}

/**
 * The acceptance tests run docs/examples/join-session.ts with a real browser. In this file the example gets forged and
 * repeated webhooks.
 */
describe('the example accepts a webhook', () => {
  test('signed now with our secret over this body, also together with the signature of a replaced secret', () => {
    expect(isGenuine(SECRET, signed(now()), BODY)).toBe(true)
    expect(isGenuine(SECRET, `${signed(now())},v1=${'0'.repeat(64)}`, BODY)).toBe(true)
  })

  test('only with the right secret and body, a recent time and a complete header', () => {
    expect(isGenuine(SECRET, signed(now(), { secret: 'whsec_other' }), BODY)).toBe(false)
    expect(isGenuine(SECRET, signed(now()), Buffer.from('{"id":"evt_2"}'))).toBe(false)
    expect(isGenuine(SECRET, signed(now() - 600), BODY)).toBe(false)
    expect(isGenuine(SECRET, `t=${now()}`, BODY)).toBe(false)
    expect(isGenuine(SECRET, undefined, BODY)).toBe(false)
  })
})

describe('the example stores the events it receives', () => {
  const user = { id: 'usr_1', name: 'Ada Lovelace' }
  const event = (id: string, name: string, data: Partial<Delivered['data']>): Delivered => ({
    id,
    event: name,
    installation: { id: 'inst_1' },
    data: { id: 'js_1', status: '', occurred_at: '', user, ...data },
  })
  const waiting = event('evt_1', 'join_session.pending_approval', { status: 'pending_approval', occurred_at: '1' })
  const joined = event('evt_2', 'syndicate_member.joined', { id: 'mem_1', status: 'member', occurred_at: '2' })
  const completed = event('evt_3', 'join_session.completed', { status: 'joined', occurred_at: '3' })
  const others = event('evt_4', 'join_session.completed', {
    id: 'js_2',
    status: 'joined',
    occurred_at: '4',
    user: null,
  })

  test('once each, in the order in which they happened, even if it receives them in another order', async () => {
    const inbox = new Inbox()
    const lines: string[] = []
    const over = inbox.untilOver('js_1', (line) => lines.push(line))
    for (const delivered of [completed, others, waiting, completed, waiting, joined]) inbox.put(delivered)
    expect(await over).toEqual([waiting, joined, completed])
    expect(lines).toHaveLength(3)
  })

  test('and waits only a set time for the joined event, which a person who was a member before does not cause', async () => {
    const inbox = new Inbox()
    const over = inbox.untilOver('js_1', () => {}, 0)
    inbox.put(completed)
    expect(await over).toEqual([completed])
  })
})
