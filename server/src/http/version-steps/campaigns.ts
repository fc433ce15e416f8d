import type { VersionStep } from '../version-step.ts'
import { withCountedCursor } from './counted-cursor.ts'
import { inAttributes, withLegacyIds, without } from './fields.ts'

export const CAMPAIGN_STEPS: readonly VersionStep[] = [
  {
    name: 'sealed cursors of campaigns',
    before: '2026-11-01',
    operations: ['listCampaigns'],
    response: withCountedCursor,
  },
  {
    name: 'campaigns in minor units, with ids of their own',
    before: '2026-11-01',
    operations: ['listCampaigns'],
    response: (body) =>
      withLegacyIds(inAttributes(body, (row) => without(row, 'amount_raised_cents', 'funding_target_cents'))),
  },
]
