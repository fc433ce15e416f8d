import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  COMMON_NAME,
  openVisibilityStage,
  type Person,
  SUBJECTS,
  type Subject,
  type Viewer,
  type VisibilityStage,
} from './visibility-stage.ts'

/**
 * Who sees which offering and which company, from the specification: "public deal catalog; with read:explore the user's
 * own view including accredited-only and invited rounds", "private rounds never appear publicly and their ids are
 * unknown", "all data is bounded by what the authorizing user could see or manage on the platform".
 *
 * Each company has one offering or none. `page`: GET /offerings/{id} and GET /companies/{id} answer, and search finds
 * the company. `listed`: as `page`, and the offering is in GET /explore. `team`: only GET /companies/{id} answers, to
 * the company's team. `-`: none of these routes shows the offering or the company.
 */
type Sight = 'listed' | 'page' | 'team' | '-'

const EVERYBODY = [
  'publishable key',
  'client token',
  'accredited, read:public',
  'company installation',
  'user',
  'founder elsewhere',
  'syndicate applicant',
] as const
/** Viewers who see the public rounds, and also the rounds whose row of the table names the viewer. */
const FEW = ['accredited', 'invited', 'invited, own installation', 'syndicate member', 'syndicate manager'] as const
const TEAM = ['editor', 'founder'] as const

type Row = Readonly<Partial<Record<Viewer, Sight>>> & { readonly everybody: Sight; readonly team: Sight }

/**
 * The invited user was invited to the private round under 506(b). The app on the user's own installation sees what the
 * user sees. The syndicate runs the second private round of the table. `team` is for the company's editor and founder.
 * `everybody`, the public view, is for each viewer whom the row does not name. Live credentials see no records of the
 * test world.
 */
const TABLE: Readonly<Record<Subject, Row>> = {
  'public, open': { everybody: 'listed', team: 'listed' },
  'of a company that asked not to be promoted': { everybody: 'listed', team: 'listed' },
  'testing the waters': { everybody: 'listed', team: 'listed' },
  'accredited only': { everybody: '-', accredited: 'listed', team: 'listed' },
  'private, Reg D 506(b)': {
    everybody: '-',
    invited: 'listed',
    'invited, own installation': 'listed',
    team: 'listed',
  },
  'private, a syndicate’s deal': {
    everybody: '-',
    'syndicate member': 'listed',
    'syndicate manager': 'listed',
    team: 'listed',
  },
  unlisted: { everybody: '-', team: 'listed' },
  upcoming: { everybody: '-', team: 'page' },
  closing: { everybody: 'page', team: 'page' },
  closed: { everybody: 'page', team: 'page' },
  canceled: { everybody: '-', team: 'page' },
  'none at all': { everybody: '-', team: 'team' },
}

function expectedOf(subject: Subject, viewer: Viewer): Sight {
  if (viewer === 'other world') return '-'
  const row = TABLE[subject]
  return row[viewer] ?? (TEAM.some((one) => one === viewer) ? row.team : row.everybody)
}

let stage: VisibilityStage
beforeAll(async () => {
  stage = await openVisibilityStage()
})
afterAll(() => stage?.service.close())

const VIEWERS: readonly Viewer[] = [...EVERYBODY, ...FEW, ...TEAM, 'other world']
const IMPERSONAL: readonly Viewer[] = [
  'publishable key',
  'client token',
  'accredited, read:public',
  'company installation',
]

/** Returns what a viewer sees, in the words of the table. A combination that the table lacks is returned by route. */
async function sightsOf(viewer: Viewer): Promise<Record<string, string>> {
  const send = stage.as[viewer]
  const explored = new Set((await send('GET', '/explore?per_page=100')).list.map(({ id }) => id))
  const found = new Set((await send('GET', `/companies/search?q=${COMMON_NAME}&limit=20`)).list.map(({ id }) => id))
  const sights = SUBJECTS.map(async (subject) => {
    const { company, offering } = stage.subjects[subject]
    const page = await send('GET', `/offerings/${offering}`)
    const its = await send('GET', `/companies/${company}`)
    const seen = [explored.has(offering), page.status, its.status, found.has(company)].join(' ')
    return [subject, WORDS[seen] ?? seen] as const
  })
  return Object.fromEntries(await Promise.all(sights))
}

const WORDS: Readonly<Record<string, Sight>> = {
  'true 200 200 true': 'listed',
  'false 200 200 true': 'page',
  'false 404 200 false': 'team',
  'false 404 404 false': '-',
}

describe('readers of an offering and its company', () => {
  test.each(VIEWERS)('%s', async (viewer) => {
    const expected = Object.fromEntries(SUBJECTS.map((subject) => [subject, expectedOf(subject, viewer)]))
    expect(await sightsOf(viewer)).toEqual(expected)
  })

  test('the personal view is marked in meta and in every record, and the public view has none of these marks', async () => {
    for (const viewer of VIEWERS) {
      const { list, meta } = await stage.as[viewer]('GET', '/explore?per_page=100')
      const personal = !IMPERSONAL.includes(viewer)
      expect([viewer, meta['personalized']]).toEqual([viewer, personal ? true : undefined])
      for (const { attributes } of list) {
        expect([viewer, 'publicly_visible' in attributes, 'invested' in attributes]).toEqual([
          viewer,
          personal,
          personal,
        ])
      }
    }
  })

  test('publicly_visible says to every reader whether the public view shows the record', async () => {
    const everybody = await stage.as['publishable key']('GET', '/explore?per_page=100')
    const known = new Set(everybody.list.map(({ id }) => id))
    for (const viewer of [...FEW, 'founder'] as const) {
      const { list } = await stage.as[viewer]('GET', '/explore?per_page=100')
      for (const { id, attributes } of list) expect(attributes['publicly_visible']).toBe(known.has(id))
    }
  })

  test('a hidden record gets the same response as an unknown record, except for the request id', async () => {
    const body = async (path: string) => {
      const { error } = await stage.as['publishable key']('GET', path)
      return { ...error, request_id: null }
    }
    const never = await body('/offerings/ofr_000000000000000000000000')
    for (const subject of ['accredited only', 'private, Reg D 506(b)', 'unlisted', 'upcoming', 'canceled'] as const) {
      expect(await body(`/offerings/${stage.subjects[subject].offering}`)).toEqual(never)
      expect(await body(`/companies/${stage.subjects[subject].company}`)).toEqual(never)
    }
  })

  test('a company that asked not to be promoted is shown with a mark', async () => {
    const { company } = stage.subjects['of a company that asked not to be promoted']
    for (const viewer of ['publishable key', 'user'] as const) {
      const { data } = await stage.as[viewer]('GET', `/companies/${company}`)
      expect(data.attributes['promotion_opt_in']).toBe(false)
    }
  })
})

describe('follows', () => {
  const people: readonly Person[] = [
    ...['user', 'accredited', 'invited', 'syndicate member', 'syndicate applicant'],
    ...['editor', 'founder', 'founder elsewhere'],
  ] as const

  test.each(people)(
    '%s may follow companies that they could see on the platform, and unfollow any company',
    async (person) => {
      const send = await stage.with(person, ['write:follows'])
      const statuses: Record<string, number[]> = {}
      const expected: Record<string, number[]> = {}
      for (const subject of SUBJECTS) {
        const path = `/users/me/follows/${stage.subjects[subject].company}`
        statuses[subject] = [(await send('PUT', path)).status, (await send('DELETE', path)).status]
        expected[subject] = [expectedOf(subject, person) === '-' ? 404 : 200, 200]
      }
      expect(statuses).toEqual(expected)
      expect((await send('DELETE', '/users/me/follows/co_000000000000000000000000')).status).toBe(404)
    },
  )

  test.each([
    ['read:profile', 'public'],
    ['write:profile', 'public'],
    ['write:follows', 'every'],
    ['read:follows', 'every'],
    ['read:mcp', 'every'],
    ['read:profile write:follows', 'every'],
    ['write:profile read:mcp', 'every'],
  ])('with %s: the %s list', async (scopes, which) => {
    const person = 'founder elsewhere'
    const follow = await stage.with(person, ['write:follows'])
    const wanted = ['public, open', 'of a company that asked not to be promoted', 'closed'] as const
    for (const subject of wanted) await follow('PUT', `/users/me/follows/${stage.subjects[subject].company}`)
    const { list, meta } = await (await stage.with(person, scopes.split(' ')))('GET', '/users/me/follows?per_page=2')
    const all = [...wanted].reverse().map((subject) => stage.subjects[subject].company)
    const shown = which === 'every' ? all : all.filter((id) => id !== stage.subjects[wanted[1]].company)
    // "The filter applies before paging: it never shortens a page."
    expect([list.map(({ id }) => id), meta['page_count']]).toEqual([shown.slice(0, 2), 2])
    expect(meta['has_more']).toBe(which === 'every')
  })
})
