import type { Client, KeyState } from '#modules/apps/index.ts'

const WHY: Readonly<Record<Exclude<KeyState, 'active'>, string>> = {
  suspended: 'The app is suspended.',
  disabled: 'The app is disabled.',
  ended: 'The access of the app and its organization was ended.',
  revoked: 'The key is revoked.',
}

/** Why a client may do nothing at all, or null. "Every credential of a suspended, disabled or ended app." */
export function whyStopped({ state }: Pick<Client, 'state'>): string | null {
  return state === 'active' ? null : WHY[state]
}
