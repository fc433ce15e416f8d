/** The words of this module that the database also knows; a test compares the two. */

export const EXIT_STATUSES = ['exited', 'failed'] as const
export type ExitStatus = (typeof EXIT_STATUSES)[number]

export const EXIT_REASONS = ['ipo', 'acquisition', 'buyback', 'failed', 'winding_down'] as const
export type ExitReason = (typeof EXIT_REASONS)[number]

export const HOLDING_STATUSES = ['active', 'failed', 'exited'] as const
export type HoldingStatus = (typeof HOLDING_STATUSES)[number]
