/** How far the recipient has come; shown to the partner, decides nothing. */
export const KYC_STATUSES = ['pending', 'passed', 'failed'] as const
export type KycStatus = (typeof KYC_STATUSES)[number]

export const FUNDING_STATUSES = ['pending', 'succeeded', 'card_declined', 'insufficient_funds'] as const
export type FundingStatus = (typeof FUNDING_STATUSES)[number]
