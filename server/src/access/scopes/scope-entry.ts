import type { CallerKind, Scope } from '#kernel/caller.ts'

/** The groups of scopes: the specification's tables under "Scope catalog", then "Retired scopes" and the two parts of "Reserved". */
export type ScopeGroup =
  | 'public'
  | 'self_serve'
  | 'declared_not_selectable'
  | 'available_not_selectable'
  | 'program_gated'
  | 'retired'
  | 'reserved'
  | 'internal'

/**
 * How an app obtains a scope.
 *
 * creation   every app has it from the start, so the picker hides it
 * picker     its developers select it in the portal
 * implied    only through a scope that includes it
 * platform   the platform adds it to one app
 * program    the platform adds it when it approves the app's access request, and removes it with the approval
 * kept       an app that has the scope keeps it, and no other app gets it; only the platform can add a removed scope back
 * assistant  only the platform's own assistant server has it
 * never      no app has it
 */
export type Obtained = 'creation' | 'picker' | 'implied' | 'platform' | 'program' | 'kept' | 'assistant' | 'never'

/** A credential that may hold a scope. Operator keys have no scopes, and a server key has the scopes that the app declares. */
export type Holder = Exclude<CallerKind, 'operator' | 'server_key'>

/** The access program behind a program-gated scope, and its tier where the specification names one. */
export type Program = { readonly name: 'marketing_partner' | 'founder'; readonly tier?: 0 | 1 }

/** The subject of a scope. The consent page shows the scopes' sentences under these headings, in this order. */
export const CONCERNS = {
  offerings: 'Offerings',
  profile: 'Your profile',
  investments: 'Your investments',
  companies: 'Companies you run',
  syndicates: 'Syndicates you manage',
  app: 'The app itself',
  platform: 'The platform',
} as const

export type Concern = keyof typeof CONCERNS

/** A row of the scope catalogue. If `obtained` or `holders` is omitted, it follows from the group. */
export type ScopeRow<Name extends Scope> = {
  readonly group: ScopeGroup
  readonly concerns: Concern
  /** Completes the sentence "It will be able to …", for a reader who does not know scopes. */
  readonly consent: string
  /** The data that becomes visible. If it is set, the scope is sensitive. */
  readonly sensitive?: string
  readonly implies?: readonly Name[]
  /** For a retired name: a credential with the retired name also has this scope. */
  readonly replacedBy?: Name
  /**
   * The retired name gives exactly what its replacement gives. An app that declares the replacement may use the name, and removing the name
   * changes no rights while the replacement stays declared.
   */
  readonly alias?: true
  /** The scope exists only for apps that are pinned to a version before this date. */
  readonly beforeVersion?: string
  readonly obtained?: Obtained
  readonly holders?: readonly Holder[]
  readonly program?: Program
  readonly beta?: true
  /** Apps can have the scope, but no operation accepts it yet. */
  readonly idle?: true
}

export type ScopeEntry<Name extends Scope> = {
  readonly name: Name
  readonly group: ScopeGroup
  readonly concerns: Concern
  readonly consent: string
  readonly sensitive: string | null
  readonly implies: readonly Name[]
  readonly replacedBy: Name | null
  readonly alias: boolean
  readonly beforeVersion: string | null
  readonly obtained: Obtained
  readonly holders: readonly Holder[]
  readonly program: Program | null
  readonly beta: boolean
  readonly idle: boolean
}

const OF_GROUP: Readonly<Record<ScopeGroup, { readonly obtained: Obtained; readonly holders: readonly Holder[] }>> = {
  public: { obtained: 'creation', holders: ['publishable', 'client', 'user', 'installation'] },
  self_serve: { obtained: 'picker', holders: ['user', 'installation'] },
  declared_not_selectable: { obtained: 'kept', holders: ['user', 'installation'] },
  available_not_selectable: { obtained: 'platform', holders: ['user', 'installation'] },
  program_gated: { obtained: 'program', holders: ['user', 'installation'] },
  retired: { obtained: 'kept', holders: ['user', 'installation'] },
  reserved: { obtained: 'assistant', holders: ['user'] },
  internal: { obtained: 'never', holders: [] },
}

export function scopeEntry<Name extends Scope>(name: Name, row: ScopeRow<Name>): ScopeEntry<Name> {
  const { sensitive = null, implies = [], program = null, beta = false, idle = false } = row
  const { replacedBy = null, alias = false, beforeVersion = null } = row
  return {
    ...OF_GROUP[row.group],
    ...row,
    ...{ name, sensitive, implies, replacedBy, alias, beforeVersion, program, beta, idle },
  }
}
