import { Type } from 'typebox'
import { liveOperator } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { becauseOf, type OnRevoked } from '../because.ts'
import { withdrawPiiApproval } from '../withdraw-pii-approval.ts'
import { exactly, idOf } from './schemas.ts'

export type PiiWithdrawalDeps = {
  /** The platform's own name: the role in which its staff acts. */
  readonly brand: string
  readonly onRevoked: readonly OnRevoked[]
}

const AppId = idOf('app')
const Count = Type.Integer({ minimum: 0 })

const PiiWithdrawal = exactly(
  {
    data: exactly({
      id: AppId,
      type: Type.Literal('pii_withdrawal'),
      attributes: exactly({
        installs_disconnected: exactly({ test: Count, live: Count }, 'InstallsDisconnectedByWorld'),
      }),
    }),
  },
  'PiiWithdrawal',
)

/** Concerns both worlds, so that a key of the sandbox cannot decide it. */
export const piiWithdrawalRoutes = ({ brand, onRevoked }: PiiWithdrawalDeps): Route[] => [
  route({
    operation: 'withdrawPii',
    method: 'DELETE',
    path: '/platform/apps/:app_id/pii_approval',
    alias: false,
    summary: 'Withdraw investor PII approval',
    description: 'Withdraws an app’s approval for investor PII and revokes the installations that depend on it.',
    tag: 'Platform partners',
    access: liveOperator(),
    schema: { params: exactly({ app_id: AppId }), response: { 200: PiiWithdrawal } },
    platform: async ({ ptx, caller, params: { app_id: app }, requestId }) => {
      const withdrawal = { app, actor: caller.operatorKeyId, role: brand }
      const ended = await withdrawPiiApproval(ptx, withdrawal, becauseOf(requestId, { onRevoked }))
      const attributes = { installs_disconnected: { ...ended } }
      return { status: 200, body: { data: { id: app, type: 'pii_withdrawal' as const, attributes } } }
    },
  }),
]
