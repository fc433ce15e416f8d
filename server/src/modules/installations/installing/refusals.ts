import { ApiError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Client } from '#modules/apps/index.ts'
import type { Withheld } from './grant-offer.ts'
import type { InstallTarget } from './standing-store.ts'

/** "A violating app is suspended (credentials stop being accepted, cannot be installed)." */
export function refuseInactive(client: Client | null): asserts client is Client {
  if (client?.state === 'active') return
  if (client?.state === 'suspended') {
    throw new ApiError('app_suspended', {
      public: 'The platform suspended this app, so it cannot be installed.',
      remediation: 'Only the platform lifts a suspension: its team hears there why it was suspended.',
    })
  }
  throw new ApiError('forbidden', {
    public: 'This app is not in use, so it cannot be installed.',
    remediation: 'Ask its developers whether they disabled it or revoked this key.',
  })
}

export function notYourTarget({ type }: InstallTarget): ApiError {
  return type === 'company'
    ? new ApiError('forbidden', {
        public: 'You cannot install apps on this company.',
        remediation: 'Ask a founder, admin or editor of the company to install the app.',
      })
    : new ApiError('forbidden', {
        public: 'You cannot install apps on this syndicate.',
        remediation: 'Ask one of its managers to install the app.',
      })
}

export function notApproved(): ApiError {
  return new ApiError('forbidden', {
    public: 'The platform has not approved this app, so only its own team can install it.',
    remediation: 'The app’s team asks the platform for approval; until then somebody on the team installs it.',
  })
}

export function alreadyInstalled(installation: Id<'installation'>): ApiError {
  return new ApiError('already_installed', {
    public: 'The app is installed there already.',
    remediation: 'Mint a token of that installation (POST /installations/{id}/tokens), or revoke it and install again.',
    details: { installation },
  })
}

export function tierTooHigh(held: string): ApiError {
  return new ApiError('forbidden', {
    public: `Your role there is ${held}, and an app cannot be installed with a higher one.`,
    remediation: 'Leave tier out to install with your own role.',
  })
}

export function tierOfAnotherTarget({ type }: InstallTarget): ApiError {
  const message = type === 'company' ? 'must be founder, admin or editor on a company' : 'is always manager there'
  return validationError([{ field: 'tier', code: 'not_of_target', message }])
}

const REASONS: Readonly<Record<Withheld['why'], string>> = {
  unknown: 'is no scope',
  not_declared: 'is not declared by the app',
  retired: 'is retired, and the app does not declare it',
  not_for_installations: 'is never held by an installation',
  editor_no_writes: 'is not an editor’s to grant',
  founder_only: 'needs an installation of founder tier',
  must_be_listed: 'is granted only where scopes lists it',
  pii_not_approved: 'needs the app’s own team or the platform’s approval',
}

const EXPLAINED_MAX = 3

/** Of the scopes that were named, or of all that the app declares, none can be granted. */
export function nothingGrantable(withheld: readonly Withheld[]): ApiError {
  const reasons = withheld.slice(0, EXPLAINED_MAX).map(({ scope, why }) => `${scope} ${REASONS[why]}`)
  const rest = withheld.length > EXPLAINED_MAX ? [`and ${withheld.length - EXPLAINED_MAX} more`] : []
  const why = reasons.length === 0 ? 'The app declares no scope.' : `${[...reasons, ...rest].join(', ')}.`
  return new ApiError('nothing_grantable', {
    public: `None of these scopes can be granted: ${why}`,
    remediation:
      'Request scopes that the app declares and the installer may grant, or send an empty list to grant none.',
    details: { scopes: withheld.map(({ scope }) => scope) },
  })
}
