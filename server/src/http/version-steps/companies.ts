import type { Fields, VersionStep } from '../version-step.ts'

/** What names the platform was called after it, and a round that is paying out read as closed. */
export const COMPANY_STEPS: readonly VersionStep[] = [
  {
    name: 'names without the platform’s',
    before: '2026-11-01',
    operations: ['getCompany'],
    response: (body) => {
      if (!isFields(body) || !isFields(body['data'])) return body
      const { attributes, ...company } = body['data']
      return { ...body, data: { ...company, attributes: before(attributes) } }
    },
  },
]

function before(attributes: unknown): unknown {
  if (!isFields(attributes)) return attributes
  const { rounds, past_rounds, totals, ...rest } = attributes
  return {
    ...rest,
    wefunder_rounds: each(rounds, (round) => (round['status'] === 'closing' ? { ...round, status: 'closed' } : round)),
    past_rounds: each(past_rounds, (past) => (past['source'] === 'platform' ? { ...past, source: 'wefunder' } : past)),
    totals: isFields(totals) ? totalsBefore(totals) : totals,
  }
}

function totalsBefore({ raised_on_platform_all_time, ...totals }: Fields): Fields {
  return { ...totals, raised_on_wefunder_all_time: raised_on_platform_all_time }
}

function each(list: unknown, change: (item: Fields) => Fields): unknown {
  return Array.isArray(list) ? list.map((item) => (isFields(item) ? change(item) : item)) : list
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
