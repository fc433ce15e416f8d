import type { ReferralRouteDeps } from '#referrals/http.ts'
import { type ReferralSettings, type ReleaseSettings, tokenKeyBox } from '#referrals/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import type { Log } from '#system/log.ts'
import type { Config } from './config.ts'
import type { WorkerSettings } from './worker-settings.ts'

type HappeningSettings = { readonly reinstatementGraceDays: number; readonly referrals: ReferralSettings }

/** What decides what follows from a fact, and from a move in the sandbox. */
export function happeningSettings(config: Config, secret: string): HappeningSettings {
  const { reinstatementGraceDays, referralModel: model, referralWindowDays: windowDays } = config
  const tokenKeys = tokenKeyBox(keyring(secret, config.previousSecrets)('referral-tokens'))
  return { reinstatementGraceDays, referrals: { model, windowDays, tokenKeys } }
}

export type ReferralParts = Pick<ReferralRouteDeps, 'rules' | 'peopleMin'> & { readonly crediting: ReferralSettings }

export function referralParts(config: Config, secret: string): ReferralParts {
  const { referrals: crediting } = happeningSettings(config, secret)
  const { brand, referralCodesMax: quota, referralPeopleMin: peopleMin } = config
  return { rules: { brand, quota }, peopleMin, crediting }
}

/** What the workers release a week by. */
export function releaseSettings(settings: WorkerSettings, log: Log): ReleaseSettings {
  const { secret, previousSecrets, referralPeopleMin: peopleMin } = settings
  return {
    peopleMin,
    tokenKeys: tokenKeyBox(keyring(secret, previousSecrets)('referral-tokens')),
    onUnopened: ({ app, company }) =>
      log.error({ app, company }, 'a referral token key cannot be opened, so a week says nothing of the two'),
  }
}
