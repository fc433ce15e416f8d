/** What a round that tests the waters may say it will sell: the kind alone. */
export const INTENDED_SECURITIES = ['safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund'] as const
export type IntendedSecurity = (typeof INTENDED_SECURITIES)[number]
