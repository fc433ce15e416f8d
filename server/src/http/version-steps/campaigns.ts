import type { VersionStep } from '../version-step.ts'
import { withCountedCursor } from './counted-cursor.ts'

export const CAMPAIGN_STEPS: readonly VersionStep[] = [
  {
    name: 'sealed cursors of campaigns',
    before: '2026-11-01',
    operations: ['listCampaigns'],
    response: (body, status) => (status === 200 ? withCountedCursor(body) : body),
  },
]
