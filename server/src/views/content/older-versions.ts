import { type Fields, isFields, type VersionStep, withCountedCursor } from '#http/version-steps.ts'
import { decimalString, parseCents } from '#kernel/money.ts'
import { exemptionBefore } from '#market/offerings/http.ts'

/** Older versions had money as decimals in strings, amounts without a currency field, and cursors that count rows. */
export const CONTENT_STEPS: readonly VersionStep[] = [
  {
    name: 'disclosures in cents',
    before: '2026-11-01',
    operations: ['getCompanyDisclosures'],
    response: (body, status) => (status === 200 ? withAttributes(body, disclosuresBefore) : body),
  },
  {
    name: 'perks in cents, memos of the platform',
    before: '2026-11-01',
    operations: ['getCompanyPitch'],
    response: (body, status) => (status === 200 ? withAttributes(body, pitchBefore) : body),
  },
  {
    name: 'sealed cursors of updates and questions',
    before: '2026-11-01',
    operations: ['listCompanyUpdates', 'listCompanyQuestions'],
    response: (body, status) => (status === 200 ? withCountedCursor(body) : body),
  },
  {
    name: 'threads of questions',
    before: '2026-11-01',
    operations: ['listCompanyQuestions'],
    response: (body, status) => (status === 200 ? questionsBefore(body) : body),
  },
]

function disclosuresBefore({ filing, ...sections }: Fields): Fields {
  const shown = isFields(filing) ? { ...filing, exemption: exemptionBefore(filing['exemption']) } : filing
  return { filing: shown, ...(moneyBefore(sections) as Fields) }
}

function pitchBefore({ authored_by, perks, ...rest }: Fields): Fields {
  const author = authored_by === 'platform' ? 'wefunder' : authored_by
  return { ...rest, authored_by: author, ...(perks === undefined ? {} : { perks: perksBefore(perks) }) }
}

function perksBefore(perks: unknown): unknown {
  if (!isFields(perks)) return perks
  return { ...perks, currency: String(perks['currency']).toUpperCase(), tiers: moneyBefore(perks['tiers']) }
}

/** `x_cents` becomes `x`, a decimal. An object with amounts loses its currency field. */
function moneyBefore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moneyBefore)
  if (!isFields(value)) return value
  const entries = Object.entries(value)
  const hasAmounts = entries.some(([key]) => key.endsWith('_cents'))
  const remaining = entries.filter(([key]) => !(hasAmounts && key === 'currency'))
  return Object.fromEntries(
    remaining.map(([key, each]) =>
      key.endsWith('_cents') ? [key.slice(0, -6), decimal(each)] : [key, moneyBefore(each)],
    ),
  )
}

function decimal(value: unknown): string | null {
  const cents = parseCents(value)
  return cents === null ? null : decimalString(cents)
}

function questionsBefore(body: unknown): unknown {
  if (!isFields(body) || !Array.isArray(body['data'])) return body
  const data = body['data'].map((question) => {
    return withAttributes({ data: question }, ({ answers_count: _, answers, ...rest }) => ({
      ...rest,
      answers: Array.isArray(answers) ? answers.map(({ in_reply_to: __, ...answer }: Fields) => answer) : answers,
    }))
  })
  return { ...body, data: data.map((each) => (isFields(each) ? each['data'] : each)) }
}

function withAttributes(body: unknown, change: (attributes: Fields) => Fields): unknown {
  if (!isFields(body) || !isFields(body['data']) || !isFields(body['data']['attributes'])) return body
  return { ...body, data: { ...body['data'], attributes: change(body['data']['attributes']) } }
}
