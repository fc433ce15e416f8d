import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, type IdKind, parseId } from '#kernel/ids.ts'
import type { InvestmentState } from '#modules/investments/index.ts'
import type { Audience } from './audience.ts'
import type { FilterIds } from './known-store.ts'
import type { PageKind } from './page-kind.ts'

export type Filters = FilterIds & { readonly status?: InvestmentState }

type FilterQuery = {
  readonly company_id?: string
  readonly offering_id?: string
  readonly investor_id?: string
  readonly status?: InvestmentState
}

const NO_FILTERS: Filters = {}

/** An id that cannot exist answers like one that does not. */
export function readFilters({ company_id, offering_id, investor_id, status }: FilterQuery): Filters {
  // As most pages are asked for.
  if ((company_id ?? offering_id ?? investor_id ?? status) === undefined) return NO_FILTERS
  return {
    ...(company_id === undefined ? {} : { company: idOf('company', company_id) }),
    ...(offering_id === undefined ? {} : { offering: idOf('offering', offering_id) }),
    ...(investor_id === undefined ? {} : { investor: idOf('user', investor_id) }),
    ...(status === undefined ? {} : { status }),
  }
}

function idOf<K extends IdKind>(kind: K, text: string): Id<K> {
  const id = parseId(kind, text)
  if (id === null) throw notFound(`${text} is no id of a ${kind}`)
  return id
}

/** "status: filter; cannot be combined with sync." */
export function refuseStatusWithSync({ status }: Filters): void {
  if (status === undefined) return
  throw new ApiError('invalid_request', {
    public: 'status filters a listing and cannot be combined with a sync cursor or updated_since.',
    remediation:
      'Leave status out and look at the status of each record; a record that left it would not be sent at all.',
  })
}

type Narrowed = { readonly audience: Audience; readonly filters: Filters }

/**
 * "Filters only narrow within the audience." A filter that names all of the audience says nothing; of an audience of one
 * it is that one or unknown. Who asks for their own investments asks for an audience of their own.
 */
export function narrow(audience: Audience, filters: Filters): Narrowed {
  const { company, investor, ...rest } = filters
  if (audience.kind === 'company') {
    if (company !== undefined && company !== audience.company) throw notFound(`${company} is not the installation's`)
    return { audience, filters: { ...rest, ...(investor === undefined ? {} : { investor }) } }
  }
  if (investor !== audience.user) {
    if (audience.kind === 'own' && investor !== undefined) throw notFound(`${investor} is somebody else`)
    return { audience, filters }
  }
  return {
    audience: { kind: 'own', user: audience.user },
    filters: { ...rest, ...(company === undefined ? {} : { company }) },
  }
}

/** In the order in which statements are named. */
export function filterNames(filters: Filters): PageKind['filters'] {
  return (['company', 'offering', 'investor', 'status'] as const).filter((name) => filters[name] !== undefined)
}
