import type { Fields, VersionStep } from '../version-step.ts'
import { OLDER_RESOURCE_TYPES } from './activity.ts'

/** Intents named companies and syndicates by the older API's words. Those are understood in requests of every version. */
export const INTENT_STEPS: readonly VersionStep[] = [
  {
    name: 'kinds of resources of intents',
    before: '2026-11-01',
    operations: ['createIntent', 'previewIntent', 'listIntents', 'getIntent'],
    response: (body, status) => (status < 300 ? { ...(body as Fields), data: inData((body as Answer).data) } : body),
  },
]

/** What the route's own schema has let through. */
type Resource = Fields & { readonly attributes: Fields & { readonly resource_type: string } }
type Answer = Fields & { readonly data: Resource | readonly Resource[] }

function inData(data: Answer['data']): unknown {
  return 'attributes' in data ? older(data) : data.map(older)
}

function older({ attributes, ...rest }: Resource): Fields {
  const { resource_type: type } = attributes
  return { ...rest, attributes: { ...attributes, resource_type: OLDER_RESOURCE_TYPES[type] ?? type } }
}
