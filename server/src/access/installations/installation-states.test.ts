import { describe, expect, test } from 'vitest'
import { transition } from '#kernel/state-machine.ts'
import { describeTable } from '#test/state-machine.ts'
import { INSTALLATION_MACHINE, INSTALLATION_STATES, type InstallationMove } from './installation.ts'

const MOVES: readonly InstallationMove[] = ['create', 'revoke', 'supersede']
const revoked = '→ revoked [installation.revoked] set_revoked'

describeTable(INSTALLATION_MACHINE, { states: INSTALLATION_STATES, moves: MOVES }, [
  'none create → active [installation.created]',
  `active revoke ${revoked} stop_access_tokens stop_refresh_tokens cancel_queued_deliveries`,
  `active supersede ${revoked} stop_minted_tokens stop_refresh_tokens cancel_queued_deliveries`,
])

describe('Installation status', () => {
  test('Values: active, revoked', () => {
    expect(INSTALLATION_STATES).toEqual(['active', 'revoked'])
  })

  test('A reinstall creates a new inst_ id: a revoked installation stays revoked', () => {
    expect(() => transition(INSTALLATION_MACHINE, { from: 'revoked', move: 'create' })).toThrow(
      expect.objectContaining({ details: { from: 'revoked', event: 'create', allowed: [] } }),
    )
  })

  test('tokens from the earlier consent keep their old scopes until they expire', () => {
    const superseded = transition(INSTALLATION_MACHINE, { from: 'active', move: 'supersede' })
    expect(superseded.also).not.toContain('stop_access_tokens')
    expect(superseded.events).toEqual(['installation.revoked'])
  })
})
