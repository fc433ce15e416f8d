import { Compile } from 'typebox/compile'
import type { Route } from '#http/route.ts'

/** Ids of existing records, by the prefix of their kind. */
export type Places = Readonly<Record<string, string>>

type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly minLength?: number
}

const ID = /^\^\(?([a-z]+_)/

/** Returns the id of an existing record of the pattern's kind, or an unknown id. Null if the pattern matches no ids. */
export function placeFor(pattern: string | undefined, places: Places): string | null {
  const prefix = ID.exec(pattern ?? '')?.[1]
  return prefix === undefined ? null : (places[prefix] ?? `${prefix}${'0'.repeat(24)}`)
}

const proposals = ({ syn_, ofr_, mem_, co_ }: Places) => {
  const about = { resource_type: 'syndicate', resource_id: syn_ }
  return [
    { ...about, action_name: 'syndicates.close_deal', params: { fundraise_id: ofr_ } },
    { ...about, action_name: 'syndicates.finalize_deal', params: { fundraise_id: ofr_ } },
    { ...about, action_name: 'syndicates.publish' },
    { ...about, action_name: 'syndicates.remove_member', params: { member_id: mem_ } },
    { ...about, action_name: 'syndicates.delete_draft' },
    {
      ...{ action_name: 'comments.create', resource_type: 'company', resource_id: co_ },
      params: { target_type: 'company', target: co_, body: 'Why?' },
    },
  ]
}

/** Bodies whose fields depend on each other. A schema cannot describe that. */
const OWN_BODIES: Readonly<Record<string, (places: Places) => unknown[]>> = {
  createIntent: proposals,
  previewIntent: proposals,
  createInstallation: ({ co_ }) => [{ target_type: 'company', target_id: co_ }],
  createWebhookEndpoint: () => [{ url: 'https://hooks.example.org/', events: ['offering.opened'] }],
  createInvestmentSession: ({ ofr_ }) => [{ investment_session: { spv_id: ofr_, email: 'somebody@example.org' } }],
  createInvestmentSessionOfOffering: () => [{ investment_session: { email: 'somebody@example.org' } }],
}

/**
 * Returns bodies that the route accepts: one with all fields, one with only the required fields, and those that
 * `OWN_BODIES` lists for the route.
 */
export function acceptedBodies({ operation, schema }: Route, places: Places): unknown[] {
  if (schema.body === undefined) return [undefined]
  const { body } = schema
  const check = Compile(body)
  const made = [true, false].map((all) => sampleOf(body as Schema, places, all))
  return [...made, ...(OWN_BODIES[operation]?.(places) ?? [])].filter((one) => check.Check(one))
}

function sampleOf(schema: Schema, places: Places, all: boolean): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum.find((one) => one !== null)
  if (schema.anyOf !== undefined) {
    return sampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, places, all)
  }
  switch (schema.type) {
    case 'object':
      return sampleObject(schema, places, all)
    case 'array':
      return [sampleOf(schema.items ?? {}, places, all)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 1)
    default:
      return sampleText(schema, places)
  }
}

function sampleObject({ properties = {}, required = [] }: Schema, places: Places, all: boolean): object {
  const chosen = Object.entries(properties).filter(([name]) => all || required.includes(name))
  return Object.fromEntries(chosen.map(([name, field]) => [name, sampleOf(field, places, all)]))
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  email: 'somebody@example.org',
  uri: 'https://hooks.example.org/',
  'date-time': '2026-01-01T00:00:00Z',
}

function sampleText({ format, pattern, minLength = 1 }: Schema, places: Places): string {
  const texts = ['sample', 'somebody@example.org', 'https://hooks.example.org/', 'US', '#336699', '1', '2026-01-01']
  const fitting = texts.find((text) => pattern === undefined || new RegExp(pattern, 'u').test(text))
  return BY_FORMAT[format ?? ''] ?? placeFor(pattern, places) ?? (fitting ?? 'sample').padEnd(minLength, 'e')
}
