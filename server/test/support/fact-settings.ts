import type { FactSettings } from '#intake/facts/index.ts'
import { type ReferralSettings, tokenKeyBox } from '#referrals/index.ts'
import { keyring } from '#system/crypto/keyring.ts'

/** Crediting with the defaults, with unique keys. */
export const REFERRAL_SETTINGS: ReferralSettings = {
  model: 'last_click',
  windowDays: 30,
  tokenKeys: tokenKeyBox(keyring('the sealing secret of tests that compose no service')('referral-tokens')),
}

/** For tests that apply facts without a service. */
export const FACT_SETTINGS: FactSettings = { reinstatementGraceDays: 7, referrals: REFERRAL_SETTINGS }
