import type { VersionStep } from '../version-step.ts'
import { withLegacyIds } from './fields.ts'

export const CONNECTED_APP_STEPS: readonly VersionStep[] = [
  {
    name: 'ids of connected apps',
    before: '2026-11-01',
    operations: ['listConnectedApps'],
    response: withLegacyIds,
  },
]
