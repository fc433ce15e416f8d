import type { FactSettings } from '#intake/facts/index.ts'
import { type ReferralSettings, tokenKeyBox } from '#referrals/index.ts'
import { keyring } from '#system/crypto/keyring.ts'

/** The default settings of crediting, with the tests' own keys. */
export const REFERRAL_SETTINGS: ReferralSettings = {
  model: 'last_click',
  windowDays: 30,
  tokenKeys: tokenKeyBox(keyring('the sealing secret of tests that start no service')('referral-tokens')),
}

/** The settings for tests that apply facts without a service. */
export const FACT_SETTINGS: FactSettings = { reinstatementGraceDays: 7, referrals: REFERRAL_SETTINGS }
