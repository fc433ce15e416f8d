import { stream } from './chance.ts'
import type { DemoCompany } from './companies.ts'
import type { Application } from './investments/index.ts'
import type { DemoOffering } from './offerings.ts'
import type { Timeline } from './timeline.ts'

type Scene = {
  readonly companies: readonly DemoCompany[]
  readonly offerings: readonly DemoOffering[]
  readonly applications: readonly Application[]
}

/** The outcome of the stakes: later valuations, acquisitions, failures and sales. */
export function tellPortfolio(timeline: Timeline, { companies, offerings, applications }: Scene): void {
  const chance = stream('portfolio')
  const roundOf = (slug: string) => offerings.find(({ company }) => company.story.slug === slug)?.id
  for (const [slug, days, value] of VALUATIONS) {
    timeline.tell(timeline.ago(days), 'portfolio.valued', { offering: roundOf(slug), ...value })
  }
  for (const [slug, days, exit] of EXITS) {
    timeline.tell(timeline.ago(days), 'portfolio.exited', { offering: roundOf(slug), ...exit })
  }
  const executed = applications.filter(({ course, offering, investor }) => {
    return course === 'executed' && offering.company.story.slug === 'grainshare' && investor.part === null
  })
  for (const { id, offering } of chance.sample(executed, 4)) {
    timeline.tell(
      timeline.ago(chance.between(2, 12)),
      'portfolio.sold',
      { investment: id, multiple: '1.15' },
      { changed: [offering.company.id] },
    )
  }
  const company = (slug: string) => companies.find(({ story }) => story.slug === slug)?.id
  for (const [fund, held, status, days] of HOLDINGS) {
    timeline.tell(timeline.ago(days), 'fund.holding_set', { fund: company(fund), company: company(held), status })
  }
}

const VALUATIONS: readonly (readonly [slug: string, days: number, value: object])[] = [
  ['wayfound', 40, { share_price: '1.05' }],
  ['grainshare', 30, { share_price: '11.20' }],
  ['grainshare', 8, { share_price: '11.80' }],
  ['ferrous-diagnostics', 9, { share_price: '1.24' }],
  ['fjordlab', 7, { share_price: '10.90' }],
  ['second-shift', 12, { multiple: '1.1' }],
  ['tidewell', 10, { multiple: '1.2' }],
  ['fathom-foods', 11, { share_price: '2.15' }],
  ['lumen-street', 45, { multiple: '0.6' }],
  ['driftless-solar-commons', 6, { multiple: '1.04' }],
]

const EXITS: readonly (readonly [slug: string, days: number, exit: object])[] = [
  ['wayfound', 15, { status: 'exited', reason: 'acquisition', multiple: '2.35' }],
  ['lumen-street', 19, { status: 'failed', reason: 'winding_down', multiple: '0.12' }],
]

const HOLDINGS: readonly (readonly [fund: string, held: string, status: string, days: number])[] = [
  ['harbor-street-climate-fund', 'brightkiln', 'active', 55],
  ['harbor-street-climate-fund', 'tidewell', 'active', 50],
  ['harbor-street-climate-fund', 'heatharbor', 'active', 47],
  ['harbor-street-climate-fund', 'loamworks', 'active', 30],
  ['harbor-street-climate-fund', 'holzweg', 'active', 21],
  ['harbor-street-climate-fund', 'vireo-aerospace', 'active', 14],
  ['harbor-street-climate-fund', 'lumen-street', 'failed', 18],
  ['main-street-makers-fund', 'marrow-and-rye', 'active', 44],
  ['main-street-makers-fund', 'copperline-brewing', 'active', 36],
  ['main-street-makers-fund', 'pine-barrens-records', 'active', 20],
  ['main-street-makers-fund', 'wayfound', 'exited', 14],
]
