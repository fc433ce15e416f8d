/**
 * "Client-credentials token: lifetime 24 hours"; "user token: lifetime 2 hours"; installation tokens too. Codes live a
 * minute, refresh tokens 60 days from each rotation. All of them in the time of their world.
 */
export const LIFETIME_SECONDS = {
  client: 86_400,
  user: 7_200,
  installation: 7_200,
  code: 60,
  refresh: 60 * 86_400,
} as const

/** How long the last rotation may be repeated by who lost its answer. Real time: an answer is lost out there. */
export const REPEAT_SECONDS = 30
