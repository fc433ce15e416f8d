import type { StateMachine } from '#kernel/state-machine.ts'
import type { AppState } from './app.ts'

/**
 * from       move     to                                  also
 * (none)     create   active
 * active     suspend  suspended  by the platform, which gives its reason; credentials stop being accepted
 * disabled   suspend  suspended
 * suspended  lift     active, or disabled where the team had disabled it before; tokens work again
 * active     disable  disabled   by the team               every token stops for good
 * disabled   enable   active     by the team
 *
 * "A violating app is suspended (credentials stop being accepted, cannot be installed); only the platform lifts a
 * suspension." "Disabling revokes all its tokens and can be reversed, but tokens are not restored": the keys' generation
 * rises, and what was issued before belongs to the old one. A suspension may turn out to be a mistake, so it raises
 * nothing.
 */
export type AppMove = 'create' | 'suspend' | 'lift' | 'disable' | 'enable'

export type AppAlso = 'stop_tokens_for_good'

export const APP_MACHINE: StateMachine<AppState, AppMove, never, AppAlso> = {
  noun: 'app',
  table: {
    none: { create: { to: 'active', events: [] } },
    active: {
      suspend: { to: 'suspended', events: [] },
      disable: { to: 'disabled', events: [], also: ['stop_tokens_for_good'] },
    },
    suspended: {
      lift: [
        { to: 'active', events: [] },
        { to: 'disabled', events: [] },
      ],
    },
    disabled: { suspend: { to: 'suspended', events: [] }, enable: { to: 'active', events: [] } },
  },
}
