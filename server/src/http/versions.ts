import { ApiError } from '#kernel/errors.ts'

/**
 * The dated versions of the API, oldest first. Dates in this form compare as text. `2026-10-01` behaves like `2025-01-15`; both
 * exist because existing clients send them.
 */
export const VERSIONS = ['2025-01-15', '2026-10-01', '2026-11-01'] as const
export type Version = (typeof VERSIONS)[number]
export const NEWEST: Version = '2026-11-01'

/** What a version changes besides shapes. Use cases check these flags and never a date. */
export type Behaviour = {
  readonly unknownBodyFields: 'refused' | 'ignored'
  /** Whether an installation token expires. */
  readonly installationTokens: 'expiring' | 'permanent'
  /** Whether the connections of users are shown, in lists and by id. */
  readonly userInstallations: 'shown' | 'left_out'
  /** For lists whose cursors count rows in older versions: whether a cursor is a sealed place or the number of rows to skip. */
  readonly pageCursors: 'sealed' | 'offsets'
  /** For lists that older versions do not page: whether a request without `per_page` gets the first page or all rows. */
  readonly unpagedLists: 'paged' | 'whole'
  /** How many results a search returns: a page of the best 200 results, or at most `limit` results, with a limit of 1 to 20. */
  readonly searchResults: 'paged' | 'limited'
  /** Whether an invite link that was used `max_uses` times is active. In older versions only canceling makes a link inactive. */
  readonly usedUpLinks: 'inactive' | 'active'
  /** Whether campaigns and connected apps show the integer that is their id in older versions. */
  readonly integerIds: 'hidden' | 'shown'
  /**
   * The reason of a record that was published again because only its derivation changed. This is a flag and not a version
   * step, because pages of the ledger are assembled from stored text and not parsed.
   */
  readonly republishedReason: 'recomputed' | 'reprojected'
}

/** The flags of `Behaviour` in words, for the documentation: how older versions behave, and how the newest version behaves. */
export const BEHAVIOUR_WORDS: Readonly<Record<keyof Behaviour, { readonly older: string; readonly newest: string }>> = {
  unknownBodyFields: {
    older: 'Unknown fields of a body are ignored.',
    newest: 'The newest version rejects them with 422.',
  },
  installationTokens: {
    older: 'Tokens of installations do not expire.',
    newest: 'In the newest version they expire after two hours.',
  },
  userInstallations: {
    older: 'Lists of installations leave out the connections of users.',
    newest: 'The newest version shows them.',
  },
  pageCursors: {
    older: 'Some lists have cursors that count rows.',
    newest: 'In the newest version all cursors are sealed texts.',
  },
  unpagedLists: {
    older: 'Lists that were not paged return all rows, unless per_page is sent.',
    newest: 'The newest version returns the first page.',
  },
  searchResults: {
    older: 'A search returns at most limit results, 1 to 20.',
    newest: 'The newest version pages through the best 200.',
  },
  usedUpLinks: {
    older: 'An invite link that was used max_uses times is still active.',
    newest: 'In the newest version it is inactive.',
  },
  integerIds: {
    older: 'Campaigns and connected apps have an integer as their id.',
    newest: 'In the newest version they have ids like all other records.',
  },
  republishedReason: {
    older: 'A republished investment record has the reason reprojected.',
    newest: 'In the newest version the reason is recomputed.',
  },
}

export function behaviour(version: Version): Behaviour {
  return version < '2026-11-01' ? BEFORE_2026_11_01 : NEWEST_BEHAVIOUR
}

const NEWEST_BEHAVIOUR: Behaviour = {
  unknownBodyFields: 'refused',
  installationTokens: 'expiring',
  userInstallations: 'shown',
  pageCursors: 'sealed',
  unpagedLists: 'paged',
  searchResults: 'paged',
  usedUpLinks: 'inactive',
  integerIds: 'hidden',
  republishedReason: 'recomputed',
}

const BEFORE_2026_11_01: Behaviour = {
  unknownBodyFields: 'ignored',
  installationTokens: 'permanent',
  userInstallations: 'left_out',
  pageCursors: 'offsets',
  unpagedLists: 'whole',
  searchResults: 'limited',
  usedUpLinks: 'active',
  integerIds: 'shown',
  republishedReason: 'reprojected',
}

export function knownVersion(text: string | undefined): Version | null {
  return VERSIONS.find((version) => version === text) ?? null
}

type VersionSources = {
  /** The request header's name, for the message, and its value. */
  readonly headerName: string
  readonly header: string | undefined
  /** The version that the caller's app is pinned to; absent for callers that are not apps. */
  readonly pinned: string | undefined
}

/**
 * The header's version, otherwise the app's pinned version, otherwise the newest. A pin that we no longer support counts as the
 * newest.
 */
export function resolveVersion({ headerName, header, pinned }: VersionSources): Version {
  if (header === undefined) return knownVersion(pinned) ?? NEWEST
  const version = knownVersion(header)
  if (version !== null) return version
  throw new ApiError('invalid_request', {
    public: `${headerName} is not a version of this API. Known versions: ${VERSIONS.join(', ')}.`,
    remediation: `Send one of the known versions in ${headerName}, or leave the header out to use your app's own.`,
    details: { known_versions: VERSIONS },
  })
}
