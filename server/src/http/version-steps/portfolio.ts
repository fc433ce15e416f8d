import type { VersionStep } from '../version-step.ts'
import { withCountedCursor } from './counted-cursor.ts'

export const PORTFOLIO_STEPS: readonly VersionStep[] = [
  {
    name: 'sealed cursors of the portfolio',
    before: '2026-11-01',
    operations: ['listPortfolioPositions', 'listSyndicatePortfolioPositions'],
    response: (body, status) => (status === 200 ? withCountedCursor(body) : body),
  },
]
