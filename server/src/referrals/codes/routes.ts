import type { Static } from 'typebox'
import { heldBy } from '#http/access.ts'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type FillRandom, type Id, newId } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { CodeChange, CodeList, CodeParam, CodeQuery, type CountsOf, codeRecord, NewCode, OneCode } from '../schemas.ts'
import { type CodeState, type ReferralCode, rejectReserved } from './code.ts'
import { findCode, insertCode, listCodes, lockAndCount, lockCode, updateRow, writeSpan } from './store.ts'

export type CodeRouteDeps = {
  readonly cursors: CursorSealer
  readonly rules: CodeRules
  readonly countsOf: CountsOf
}

/** "The app's own referral codes; held by the app's server key only; a user token is refused." */
const read = { tag: 'Referral codes', access: heldBy(['client'], 'read:referral_codes') } as const
const write = { tag: 'Referral codes', access: heldBy(['client'], 'write:referral_codes') } as const

export const codeRoutes = ({ cursors, rules, countsOf }: CodeRouteDeps): Route[] => [
  route({
    ...read,
    operation: 'listReferralCodes',
    method: 'GET',
    path: '/referral_codes',
    summary: 'List referral codes',
    description: 'Returns the app’s referral codes, newest first.',
    schema: { query: CodeQuery, response: { 200: CodeList } },
    handler: async ({ db: { reads }, caller: { appId }, query, requestId: request_id }) => {
      const { data, meta } = await codePage({ cursors, rules, countsOf }, reads, { app: appId, query })
      return { status: 200, body: { data, meta: { ...meta, request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'createReferralCode',
    method: 'POST',
    path: '/referral_codes',
    summary: 'Create a referral code',
    description: 'Creates a referral code. It works at once on links to companies’ pages.',
    schema: { body: NewCode, response: { 201: OneCode } },
    transaction: async ({ tx, caller: { appId: app }, body: wanted, requestId: request_id }) => {
      const made = await createCode(tx, { app, wanted, rules })
      return { status: 201, body: { data: codeRecord(made, null), meta: { request_id } } }
    },
  }),
  route({
    ...read,
    operation: 'getReferralCode',
    method: 'GET',
    path: '/referral_codes/:id',
    summary: 'Get a referral code',
    description: 'Returns a referral code with its counts as of the last published week.',
    schema: { params: CodeParam, response: { 200: OneCode } },
    handler: async ({ db: { reads }, caller: { appId }, params: { id }, requestId: request_id }) => {
      const found = await findCode(reads, appId, id)
      if (found === null) throw notFound()
      return { status: 200, body: { data: await shown(reads, found, countsOf), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'updateReferralCode',
    method: 'PATCH',
    path: '/referral_codes/:id',
    summary: 'Update a referral code',
    description: 'Renames, pauses or resumes a referral code. The code itself never changes.',
    schema: { params: CodeParam, body: CodeChange, response: { 200: OneCode } },
    transaction: async ({ tx, caller: { appId: app }, params: { id }, body: change, requestId: request_id }) => {
      const changed = await updateCode(tx, { app, id, change })
      return { status: 200, body: { data: await shown(tx, changed, countsOf), meta: { request_id } } }
    },
  }),
]

type ListedCodes = { readonly app: Id<'app'>; readonly query: Static<typeof CodeQuery> }

/** A page of an app's codes in one world. */
export async function codePage(
  { cursors, rules, countsOf }: CodeRouteDeps,
  queries: WorldQueries,
  { app, query }: ListedCodes,
) {
  const kind = { kind: `referral_codes/${app}`, version: 1 }
  const size = pageSize(query.per_page)
  const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
  const rows = await listCodes(queries, app, { before: before === null ? null : String(before), limit: size + 1 })
  const counts = await countsOf(queries, app, idsOf(rows))
  const item = (row: ReferralCode) => codeRecord(row, counts.get(row.id) ?? null)
  const { data, meta } = page({ rows, size, item, next: ({ id }) => cursors.seal(kind, [id]) })
  return { data, meta: { ...meta, quota: rules.quota } }
}

const idsOf = (rows: readonly ReferralCode[]) => rows.map(({ id }) => id)

async function shown(queries: WorldQueries, row: ReferralCode, countsOf: CountsOf) {
  const counts = await countsOf(queries, row.app_id, [row.id])
  return codeRecord(row, counts.get(row.id) ?? null)
}

type CodeRules = {
  readonly brand: string
  /** How many codes an app can have in each world. */
  readonly quota: number
}

type WantedCode = { readonly code?: string | undefined; readonly name?: string | undefined }

type Wanting = { readonly app: Id<'app'>; readonly wanted: WantedCode; readonly rules: CodeRules }

/**
 * The database rejects a code that this or another app has already; upper and lower case count as equal. If an app
 * sends two requests at once, the second waits for the first.
 */
export async function createCode(tx: Tx, { app, wanted, rules }: Wanting): Promise<ReferralCode> {
  const code = wanted.code ?? generatedCode()
  rejectReserved(code, rules.brand)
  rejectBeyondQuota(await lockAndCount(tx, app), rules.quota)
  return insertCode(tx, { id: newId('referralCode'), app_id: app, code, name: wanted.name ?? code })
}

/** Paused codes count too. Otherwise an app could take any number of codes, because a paused code stays taken. */
function rejectBeyondQuota(count: number, quota: number): void {
  if (count < quota) return
  throw new ApiError('validation_error', {
    public: `This app has ${count} referral codes, and can have ${quota}.`,
    remediation: 'Rename and resume a paused code, or ask the platform for a higher quota.',
    details: { fields: [{ field: 'code', code: 'quota_reached', message: `exceeds the quota of ${quota}` }] },
  })
}

/** No vowels, so that a code spells no word, and no characters that look alike (0 and o, 1 and l). */
const ALPHABET = 'bcdfghjkmnpqrstvwxyz23456789'
const CHARS = 10
/** 28 × 9. Higher bytes would make the first letters more frequent, so they are drawn again. */
const UNBIASED_BELOW = 252

/** For an app that sends no code. With 28^10 values, two generated codes are practically never equal. */
export function generatedCode(fill: FillRandom = fillRandom): string {
  let code = ''
  const bytes = new Uint8Array(CHARS * 2)
  while (code.length < CHARS) {
    fill(bytes)
    const letters = [...bytes]
      .filter((byte) => byte < UNBIASED_BELOW)
      .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    code = (code + letters.join('')).slice(0, CHARS)
  }
  return code
}

type WantedChange = { readonly name?: string | undefined; readonly status?: CodeState | undefined }

type Changing = { readonly app: Id<'app'>; readonly id: string; readonly change: WantedChange }

/**
 * Renames, pauses or resumes a code. The code itself never changes, because published links would change their meaning.
 * A repeated request changes nothing, because a client that lost our response retries.
 */
export async function updateCode(tx: Tx, { app, id, change }: Changing): Promise<ReferralCode> {
  const before = await lockCode(tx, app, id)
  if (before === null) throw notFound()
  const { name = before.name, status: state = before.state } = change
  if (name === before.name && state === before.state) return before
  const after = await updateRow(tx, before.id, { name, state })
  if (after.state !== before.state) await writeSpan(tx, after)
  return after
}
