import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser, updateUser } from '#access/people/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { addDeal, changeProfile, type DirectoryChanges, hideMember, inviteMember } from '../index.ts'
import {
  type DirectoryStage,
  everyRow,
  OLDER,
  ORIGIN,
  openDirectoryStage,
  refusal,
  type Send,
} from '../testing/directory-stage.ts'
import { MEMBER_SORTS } from './directory-store.ts'

let stage: DirectoryStage
beforeAll(async () => {
  stage = await openDirectoryStage()
})
afterAll(() => stage?.close())

/** Ids in the order in which the tests name people; random ids of one millisecond have no order. */
const stem = newId('membership').slice(0, -4)
let made = 0
const nextMember = () => {
  made += 1
  return (stem + String(made).padStart(4, '0')) as Id<'membership'>
}

const change = (id: Id<'membership'>, changes: DirectoryChanges) =>
  stage.arrange((tx) => changeProfile(tx, { id, changes }, occasionAt()))

async function deal(syndicateId: Id<'syndicate'>, terms: Parameters<typeof makeOffering>[1] = {}) {
  return stage.arrange(async (tx) => {
    const offeringId = await makeOffering(tx, terms)
    await addDeal(tx, { syndicateId, offeringId }, occasionAt())
    return offeringId
  })
}

const invest = (offering: Id<'offering'>, investor: Id<'user'>, units: number) =>
  stage.arrange((tx) => makeInvestment(tx, { offering, investor, amount_cents: (units * 100) as Cents }))

async function cast(id: Id<'syndicate'>) {
  const people = { ada: 'Ada Lovelace', emile: 'Émile Borel', grace: 'Grace Hopper', alan: 'alan Turing' }
  const users: Record<string, Id<'user'>> = {}
  const members: Record<string, Id<'membership'>> = {}
  for (const [who, name] of Object.entries(people)) {
    const location = who === 'grace' ? { city: 'New York', country: 'United States', location_hidden: true } : {}
    users[who] = await stage.user({
      name,
      email: `${who}.${id}@example.org`,
      ...(who === 'ada' ? { accreditation: 'verified' as const, city: 'London', country: 'United Kingdom' } : {}),
      ...location,
    })
    members[who] = await stage.member(id, { id: nextMember(), user: users[who] })
  }
  return { users, members } as {
    readonly users: Readonly<Record<keyof typeof people, Id<'user'>>>
    readonly members: Readonly<Record<keyof typeof people, Id<'membership'>>>
  }
}

const names = async (send: Send, id: Id<'syndicate'>, query = '') =>
  (await everyRow(send, `/syndicates/${id}/members?per_page=2${query}`)).map(
    ({ attributes }) => attributes['user_name'],
  )

describe('GET /syndicates/{id}/members', () => {
  test('200: a member, with the fields that only managers see', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.user({
      name: 'Ada Lovelace',
      legal_name: 'Augusta Ada King',
      email: 'ada@example.org',
      username: 'ada',
      avatar_url: '/pictures/ada.png',
      city: 'London',
      state: null,
      country: 'United Kingdom',
      accreditation: 'self_attested',
    })
    const id = await stage.member(syndicate.id, { user })
    await change(id, {
      title: 'Scout',
      private_tags: ['first cheque'],
      carry_discount_percentage: 12.5,
      profile: {
        thesis: 'Engines.',
        tags: ['maths'],
        interests: ['hardware'],
        last_activity_at: '2026-05-01T00:00:00.000000Z',
      },
    })
    await invest(await deal(syndicate.id), user, 5_000)
    const { status, list, meta } = await (await stage.as(syndicate.operator))(
      'GET',
      `/syndicates/${syndicate.id}/members`,
    )
    expect([status, meta]).toEqual([200, { has_more: false, page_count: 1, next_cursor: null }])
    expect(list).toEqual([
      {
        id,
        type: 'syndicate_member',
        attributes: {
          user,
          user_name: 'Ada Lovelace',
          user_email: 'ada@example.org',
          role: 'member',
          status: 'member',
          invite_role: null,
          syndicate_permission: null,
          title: 'Scout',
          sort_order: null,
          carry_percentage_override: null,
          carry_discount_percentage: 12.5,
          management_fee_discount_percentage: null,
          public_on_syndicate_profile: false,
          interests: ['hardware'],
          stage_preferences: [],
          looking_for: [],
          linkedin_url: null,
          twitter_url: null,
          website: null,
          city: 'London',
          state: null,
          country: 'United Kingdom',
          avatar_url: `${ORIGIN}/pictures/ada.png`,
          bio: 'Engines.',
          last_activity_at: '2026-05-01T00:00:00.000000Z',
          profile_url: '/ada',
          tags: ['maths'],
          joined_at: '2026-02-01T00:00:00.000002Z',
          investment_total_cents: 500_000,
          currency: 'usd',
          deal_count: 1,
          accredited: true,
          legal_name: 'Augusta Ada King',
          starred: false,
          private_tags: ['first cheque'],
          created_at: '2026-02-01T00:00:00.000000Z',
          updated_at: '2026-06-01T12:00:00.000000Z',
        },
      },
    ])
  })

  test('an app on the syndicate gets the same list; older versions have whole units, and omit a permission that is null', async () => {
    const syndicate = await stage.syndicate()
    await cast(syndicate.id)
    const path = `/syndicates/${syndicate.id}/members`
    const { text } = await (await stage.as(syndicate.operator))('GET', path)
    const app = await stage.installedOn({ syndicate: syndicate.id })
    expect((await app('GET', path)).text).toBe(text)
    const older = (await app('GET', path, undefined, OLDER)).list.map(({ attributes }) => attributes)
    expect(older.length).toBeGreaterThan(0)
    for (const attributes of older) {
      expect(attributes['syndicate_permission']).not.toBeNull()
      expect(attributes['investment_total'] ?? '0').toMatch(/^\d+$/)
      expect(attributes).not.toHaveProperty('investment_total_cents')
    }
    expect(older.some((attributes) => !('syndicate_permission' in attributes))).toBe(true)
  })

  test('the row of a person who hides their location has no city, state or country', async () => {
    const syndicate = await stage.syndicate()
    await cast(syndicate.id)
    const { list } = await (await stage.as(syndicate.full))('GET', `/syndicates/${syndicate.id}/members?search=grace`)
    for (const key of ['city', 'state', 'country']) expect(list[0]?.attributes).not.toHaveProperty(key)
  })

  test('a person who was deactivated has neither name nor address, and comes last in alphabetical order', async () => {
    const syndicate = await stage.syndicate()
    const { users } = await cast(syndicate.id)
    await stage.arrange((tx) => deactivateUser(tx, users.ada, occasionAt()))
    const send = await stage.as(syndicate.full)
    const rows = await everyRow(send, `/syndicates/${syndicate.id}/members?sort=alphabetical`)
    expect(rows.at(-1)?.attributes).toMatchObject({ user: users.ada, user_name: null, user_email: null })
    expect(await names(send, syndicate.id, '&search=lovelace')).toEqual([])
    const kept = await stage.db.sql('select directory_key, directory_place from test.memberships where user_id = $1', [
      users.ada,
    ])
    expect(kept).toEqual([{ directory_key: '\uffff', directory_place: ', , ' }])
  })
})

describe('roles', () => {
  test('the filter role selects by role; without this filter the list has members and people who may become members', async () => {
    const syndicate = await stage.syndicate({ fund: { type: 'traditional_fund', require_minimum_investment: false } })
    const { id } = syndicate
    await stage.member(id, { user: syndicate.creator })
    await stage.member(id, { permission: 'operator' })
    const states = [
      'member',
      'pending',
      'approved',
      'payment_failed',
      'left',
      'removed',
      'declined',
      'withdrawn',
    ] as const
    for (const status of states) await stage.member(id, { status })
    const hidden = await stage.member(id)
    await stage.arrange((tx) => hideMember(tx, { id: hidden }, occasionAt()))
    await stage.arrange((tx) =>
      inviteMember(tx, { syndicateId: id, email: 'x@example.org', invitedBy: syndicate.full }, occasionAt()),
    )
    const send = await stage.as(syndicate.operator)
    const roles = async (query: string) =>
      (await everyRow(send, `/syndicates/${id}/members?per_page=3${query}`)).map(({ attributes }) => attributes['role'])
    const shown = ['applicant', 'approved', 'creator', 'invitee', 'manager', 'member', 'payment_failed']
    for (const sort of MEMBER_SORTS) expect((await roles(`&sort=${sort}`)).toSorted()).toEqual(shown)
    for (const role of [...shown, 'exiled', 'resigned', 'removed', 'declined', 'withdrawn']) {
      expect(await roles(`&role=${role}`)).toEqual([role])
    }
    expect(refusal(await send('GET', `/syndicates/${id}/members?role=owner`))).toBe('400 invalid_request')
  })
})

describe('filters', () => {
  test('each filter selects the matching members, alone and combined with other filters', async () => {
    const syndicate = await stage.syndicate()
    const { id } = syndicate
    const { users, members } = await cast(id)
    await change(members.ada, { profile: { tags: ['Machine Learning'] } })
    await invest(await deal(id), users.grace, 250)
    await stage.member(id, { id: nextMember(), profile: { name: 'Mary Somerville' }, permission: 'full_access' })
    await stage.arrange((tx) =>
      inviteMember(
        tx,
        { syndicateId: id, email: 'kurt@vienna.example', name: 'Kurt Gödel', invitedBy: syndicate.full },
        occasionAt(),
      ),
    )
    const send = await stage.as(syndicate.operator)
    const all = ['Ada Lovelace', 'Émile Borel', 'Grace Hopper', 'alan Turing', 'Mary Somerville', 'Kurt Gödel']
    for (const [query, expected] of [
      ['', all],
      ['&search=', all],
      ['&permission=full_access', ['Mary Somerville']],
      ['&search=emile', ['Émile Borel']],
      ['&search=GÖDEL', ['Kurt Gödel']],
      ['&search=vienna', ['Kurt Gödel']],
      [`&search=ada.${id}`, ['Ada Lovelace']],
      ['&search=%25', []],
      ['&has_invested=true', ['Grace Hopper']],
      ['&has_invested=false', ['Ada Lovelace', 'Émile Borel', 'alan Turing', 'Mary Somerville']],
      ['&accredited=true', ['Ada Lovelace']],
      ['&accredited=false', ['Émile Borel', 'Grace Hopper', 'alan Turing', 'Mary Somerville']],
      ['&tag=machine', ['Ada Lovelace']],
      ['&location=london', ['Ada Lovelace']],
      ['&location=united', ['Ada Lovelace']],
      ['&accredited=true&search=hopper', []],
      ['&role=invitee', ['Kurt Gödel']],
      ['&role=invitee&permission=operator', []],
    ] as const) {
      expect([query, await names(send, id, query)]).toEqual([query, expected])
    }
    for (const query of ['accredited=maybe', 'has_invested=1', 'permission=owner', `search=${'x'.repeat(201)}`]) {
      expect([query, refusal(await send('GET', `/syndicates/${id}/members?${query}`))]).toEqual([
        query,
        '400 invalid_request',
      ])
    }
  })
})

describe('sorts', () => {
  test('each value of sort lists the members in its order; an unknown value means the order of the directory', async () => {
    const syndicate = await stage.syndicate()
    const { id } = syndicate
    const { users, members } = await cast(id)
    await change(members.grace, { sort_order: 1, profile: { last_activity_at: '2026-05-01T00:00:00.000000Z' } })
    await change(members.alan, { sort_order: 0, profile: { last_activity_at: '2026-05-02T00:00:00.000000Z' } })
    const offering = await deal(id)
    await invest(offering, users.emile, 300)
    await invest(offering, users.emile, 300)
    await invest(offering, users.grace, 500)
    const send = await stage.as(syndicate.operator)
    const [ada, emile, grace, alan] = ['Ada Lovelace', 'Émile Borel', 'Grace Hopper', 'alan Turing']
    for (const [sort, expected] of [
      ['directory', [alan, grace, ada, emile]],
      ['whatever', [alan, grace, ada, emile]],
      ['alphabetical', [ada, alan, emile, grace]],
      ['oldest', [ada, emile, grace, alan]],
      ['newest', [alan, grace, emile, ada]],
      ['last_activity', [alan, grace, emile, ada]],
      ['investment_amount', [emile, grace, alan, ada]],
    ] as const) {
      expect([sort, await names(send, id, `&sort=${sort}`)]).toEqual([sort, expected])
    }
  })

  test('filters and sorting immediately use a person’s new name, location and accreditation', async () => {
    const syndicate = await stage.syndicate()
    const { users } = await cast(syndicate.id)
    const changed = { name: 'Zora King', city: 'Turin', accreditation: 'none' } as const
    await stage.arrange((tx) => updateUser(tx, { id: users.ada, ...changed }, occasionAt()))
    const send = await stage.as(syndicate.operator)
    expect((await names(send, syndicate.id, '&sort=alphabetical')).at(-1)).toBe('Zora King')
    expect(await names(send, syndicate.id, '&search=zora')).toEqual(['Zora King'])
    expect(await names(send, syndicate.id, '&location=turin')).toEqual(['Zora King'])
    expect(await names(send, syndicate.id, '&accredited=true')).toEqual([])
    await stage.arrange((tx) => updateUser(tx, { id: users.ada, location_hidden: true }, occasionAt()))
    expect(await names(send, syndicate.id, '&location=turin')).toEqual([])
  })

  test.each(MEMBER_SORTS)(
    'sort=%s: every person is on exactly one page while other people join and one person is hidden',
    async (sort) => {
      const syndicate = await stage.syndicate()
      const { id } = syndicate
      const { users } = await cast(id)
      await invest(await deal(id), users.emile, 300)
      for (const n of [1, 2, 3]) {
        const email = `invited-${n}@example.org`
        await stage.arrange((tx) =>
          inviteMember(tx, { syndicateId: id, email, invitedBy: syndicate.full }, occasionAt()),
        )
      }
      const send = await stage.as(syndicate.operator)
      const path = `/syndicates/${id}/members?sort=${sort}&per_page=2`
      const before = (await everyRow(send, path)).map((row) => row.id)
      expect(new Set(before).size).toBe(7)
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const { list, meta } = await send('GET', cursor === null ? path : `${path}&cursor=${cursor}`)
        seen.push(...list.map((row) => row.id))
        cursor = meta.next_cursor
        await stage.member(id)
        if (seen.length === 2)
          await stage.db.sql('update test.memberships set directory_hidden = true where id = $1', [seen[0]])
      } while (cursor !== null)
      expect(before.filter((row) => !seen.includes(row))).toEqual([])
      expect(seen.length).toBe(new Set(seen).size)
    },
  )

  test('a cursor is valid only for the list that returned it', async () => {
    const [one, other] = [await stage.syndicate(), await stage.syndicate()]
    await cast(one.id)
    const send = await stage.as(one.operator)
    const path = `/syndicates/${one.id}/members?per_page=1`
    const { next_cursor: cursor } = (await send('GET', path)).meta
    for (const query of [`&sort=newest&cursor=${cursor}`, `&cursor=${cursor?.slice(0, -1)}x`]) {
      expect(refusal(await send('GET', path + query))).toBe('400 invalid_request')
    }
    const withFilter = await send('GET', `${path}&search=${one.id}&cursor=${cursor}`)
    expect(withFilter.status).toBe(200)
    const inOtherSyndicate = await (await stage.as(other.operator))(
      'GET',
      `/syndicates/${other.id}/members?cursor=${cursor}`,
    )
    expect(refusal(inOtherSyndicate)).toBe('400 invalid_request')
  })
})

describe('investments of members', () => {
  test('investments count only in the latest deal of each company, in the currency of most deals', async () => {
    const syndicate = await stage.syndicate()
    const { id } = syndicate
    const { users, members } = await cast(id)
    const company = await stage.arrange((tx) => makeCompany(tx))
    const earlier = await deal(id, { company })
    const later = await deal(id, { company })
    await stage.db.sql(`update test.offerings set opens_at = opens_at - interval '1 year' where id = $1`, [earlier])
    const [second, euros] = [await deal(id), await deal(id, { currency: 'eur' })]
    await deal(id, { testing_the_waters: true })
    for (const [offering, units] of [
      [earlier, 1_000],
      [later, 200],
      [second, 30],
      [euros, 4_000],
    ] as const) {
      await invest(offering, users.ada, units)
    }
    const canceled = await invest(second, users.ada, 7)
    await stage.db.sql(
      `update test.investments set status = 'canceled', canceled_at = now(), status_before_cancel = 'active' where id = $1`,
      [canceled],
    )
    const { list } = await (await stage.as(syndicate.full))('GET', `/syndicates/${id}/members?sort=investment_amount`)
    expect(list[0]).toMatchObject({
      id: members.ada,
      attributes: { investment_total_cents: 23_000, currency: 'usd', deal_count: 3 },
    })
    expect(list[1]?.attributes).toMatchObject({ investment_total_cents: 0, deal_count: 0 })
  })
})

describe('POST …/members/reorder', () => {
  test('200: the members in the list come first, in the order of the list; all other members follow in their previous order', async () => {
    const syndicate = await stage.syndicate()
    const { id } = syndicate
    const { members } = await cast(id)
    const send = await stage.as(syndicate.operator)
    const reorder = (...ids: string[]) => send('POST', `/syndicates/${id}/members/reorder`, { member_ids: ids })
    const first = await reorder(members.alan, members.grace)
    expect(first.data).toEqual({
      id,
      type: 'syndicate_member_order',
      attributes: { member_ids: [members.alan, members.grace] },
    })
    expect(await names(send, id)).toEqual(['alan Turing', 'Grace Hopper', 'Ada Lovelace', 'Émile Borel'])
    await reorder(members.emile, members.grace)
    expect(await names(send, id)).toEqual(['Émile Borel', 'Grace Hopper', 'alan Turing', 'Ada Lovelace'])
    expect(await stage.causedBy(first)).toEqual([])
  })

  test('404 for an unknown id, or another syndicate’s; 409 for an invited person; 422 for a malformed list; nothing changes', async () => {
    const [syndicate, other] = [await stage.syndicate(), await stage.syndicate()]
    const { members } = await cast(syndicate.id)
    const foreign = await stage.member(other.id)
    const send = await stage.as(syndicate.operator)
    const path = `/syndicates/${syndicate.id}/members/reorder`
    const invited = await send('POST', `/syndicates/${syndicate.id}/members/invite`, { email: 'i@example.org' })
    for (const [ids, expected] of [
      [[members.alan, newId('membership')], '404 not_found'],
      [[members.alan, foreign], '404 not_found'],
      [[members.alan, invited.data.id], '409 illegal_transition'],
      [[members.alan, members.alan], '422 validation_error'],
      [[], '422 validation_error'],
      [['42'], '422 validation_error'],
      [null, '422 validation_error'],
    ] as const) {
      expect([ids, refusal(await send('POST', path, { member_ids: ids }))]).toEqual([ids, expected])
    }
    const many = await send('POST', path, { member_ids: Array.from({ length: 1_001 }, () => newId('membership')) })
    expect(many.error.details).toMatchObject({ fields: [{ field: 'member_ids', code: 'too_long' }] })
    expect(await names(send, syndicate.id, '&role=member')).toEqual([
      'Ada Lovelace',
      'Émile Borel',
      'Grace Hopper',
      'alan Turing',
    ])
  })

  test('reordering writes only the rows of the members in the list, also when repeated', async () => {
    const syndicate = await stage.syndicate()
    const { id } = syndicate
    const { members } = await cast(id)
    const send = await stage.as(syndicate.operator)
    const reorder = (...ids: string[]) => send('POST', `/syndicates/${id}/members/reorder`, { member_ids: ids })
    const versions = async () =>
      Object.fromEntries(
        (
          await stage.db.sql<{ id: string; version: string }>(
            'select id, xmin::text as version from test.memberships where syndicate_id = $1',
            [id],
          )
        ).map((row) => [row.id, row.version]),
      )
    await reorder(...Object.values(members))
    for (const moved of [members.alan, members.grace, members.alan]) {
      const before = await versions()
      await reorder(moved)
      const after = await versions()
      // A lock does not change a row's version; only a write does.
      const firstRow = await stage.db.sql<{ id: string }>(
        'select id from test.memberships where syndicate_id = $1 and sort_order < 1 order by sort_order limit 1',
        [id],
      )
      expect(firstRow).toEqual([{ id: moved }])
      expect(Object.keys(after).filter((each) => after[each] !== before[each])).toEqual([moved])
    }
    expect(await names(send, id)).toEqual(['alan Turing', 'Grace Hopper', 'Ada Lovelace', 'Émile Borel'])
    // This leaves no free number below the first place, so the next request renumbers all rows. Their order stays.
    await stage.db.sql('update test.memberships set sort_order = sort_order + 2 - 2147483648 where syndicate_id = $1', [
      id,
    ])
    expect((await reorder(members.emile)).status).toBe(200)
    expect(await names(send, id)).toEqual(['Émile Borel', 'alan Turing', 'Grace Hopper', 'Ada Lovelace'])
  })

  test('after concurrent requests the directory has the order that one of these requests sent', async () => {
    const syndicate = await stage.syndicate()
    const { members } = await cast(syndicate.id)
    const send = await stage.as(syndicate.operator)
    const orders = Array.from({ length: 8 }, (_, n) =>
      Object.values(members).map((_, at, all) => all[(at + n) % 4] ?? ''),
    )
    const path = `/syndicates/${syndicate.id}/members/reorder`
    const answers = await Promise.all(orders.map((member_ids) => send('POST', path, { member_ids })))
    expect(answers.map(({ status }) => status)).toEqual(orders.map(() => 200))
    const { list } = await send('GET', `/syndicates/${syndicate.id}/members`)
    expect(orders).toContainEqual(list.map(({ id }) => id))
    expect(list.map(({ attributes }) => attributes['sort_order'])).toEqual([1, 2, 3, 4])
  })
})
