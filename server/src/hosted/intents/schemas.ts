import { type Static, Type } from 'typebox'
import { ACTION_NAMES } from '#access/scopes/index.ts'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import type { Fields, VersionStep } from '#http/version-steps.ts'
import type { Id } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import { OLDER_RESOURCE_TYPES } from '#views/activity/http.ts'
import { INTENT_STATES, type Intent } from './intent.ts'

const time = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} UTC, in the time of the world.` })
const nullableTime = (description: string) => nullable(Type.String({ format: 'date-time' }), description)

const RESOURCE_TYPES = ['syndicate', 'company'] as const
const KNOWN_TYPES: readonly string[] = [...RESOURCE_TYPES, ...Object.values(OLDER_RESOURCE_TYPES)]

/** The API defines `executing`, but no intent is ever in that state. */
const STATUSES = [...INTENT_STATES, 'executing'] as const

const Params = Type.Record(Type.String(), Type.Unknown(), {
  description:
    '`{fundraise_id}` for close_deal and finalize_deal, `{member_id}` for remove_member, nothing for publish and delete_draft, `{target_type, target, body, disclosure_key?}` for comments.create.',
})

const CONTENT = {
  action_name: oneOf(ACTION_NAMES, 'What is proposed.'),
  resource_type: Type.String({
    maxLength: 40,
    description: '`syndicate`, or `company` for comments.create; the older `Club` and `Company` are understood.',
  }),
  resource_id: Type.String({ maxLength: 40, description: '`syn_…`, or `co_…` for comments.create.' }),
  params: Type.Optional(Params),
}

export const PreviewBody = Type.Object(CONTENT)

export const ProposalBody = Type.Object({
  ...CONTENT,
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Repeating a proposal with its key returns the same intent, unless that intent was rejected, expired or failed. Another proposal with the key gets 409.',
    }),
  ),
  requested_by_agent: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: LINE_PATTERN,
      description: 'The name of an agent, which the reviewer sees after the app’s name. One line.',
    }),
  ),
})

export const IntentQuery = Type.Object({
  status: Type.Optional(oneOf(STATUSES, 'Only intents in this status.')),
  resource_type: Type.Optional(
    oneOf(KNOWN_TYPES, 'Only intents about this type of resource. `Club` is an older name of `syndicate`.'),
  ),
  resource_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only intents about this syndicate or company.' }),
  ),
  ...pageQuery(),
})
export type IntentQuery = Static<typeof IntentQuery>

export const IntentParam = Type.Object({ intent_id: idOf('intent') })

const IntentRecord = exactly(
  {
    id: idOf('intent'),
    type: Type.Literal('intent'),
    attributes: exactly({
      action: oneOf(ACTION_NAMES, 'What was proposed.'),
      status: oneOf(STATUSES, 'The intent’s state. The documentation of intents explains each state.'),
      resource_type: oneOf(RESOURCE_TYPES, 'The type of the record that the intent is about.'),
      resource_id: Type.String(),
      params: Type.Record(Type.String(), Type.Unknown(), {
        description: 'The action’s params, as the app proposed them.',
      }),
      impact_summary: Type.String({ description: 'What will happen: as of the proposal, then as of the approval.' }),
      review_url: Type.String({
        format: 'uri',
        description: 'The page where a person decides. An intent can be approved only there.',
      }),
      requested_by_agent: nullable(Type.String(), 'The `requested_by_agent` of the proposal.'),
      expires_at: time('Until when the intent can be decided.'),
      approved_at: nullableTime('When a person approved the intent.'),
      executed_at: nullableTime('When the action was performed.'),
      rejection_reason: nullable(Type.String(), 'The reason that the rejecting person wrote; null without a reason.'),
      failure_reason: nullable(Type.String(), 'Why the approved action could not be performed.'),
      execution_result: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'The result. Absent until the action is executed.' }),
      ),
      created_at: time('When the intent was proposed.'),
      updated_at: time('When the intent last changed.'),
    }),
  },
  'Intent',
)

export const IntentEnvelope = exactly({ data: IntentRecord })
export const IntentList = listOf(IntentRecord)

export const reviewPath = (id: Id<'intent'>) => `/intents/${id}/review`
const reviewUrl = (origin: string, id: Id<'intent'>) => origin + reviewPath(id)

export function intentRecord(intent: Intent, origin: string): Static<typeof IntentRecord> {
  return {
    id: intent.id,
    type: 'intent',
    attributes: {
      action: intent.action,
      status: intent.state,
      resource_type: intent.resourceType,
      resource_id: intent.resourceId,
      params: { ...intent.params },
      impact_summary: intent.impactSummary,
      review_url: reviewUrl(origin, intent.id),
      requested_by_agent: intent.requestedByAgent,
      expires_at: intent.expiresAt,
      approved_at: intent.approvedDigest === null ? null : intent.decidedAt,
      executed_at: intent.executedAt,
      rejection_reason: intent.rejectionReason,
      failure_reason: intent.failure,
      ...(intent.executionResult === null ? {} : { execution_result: { ...intent.executionResult } }),
      created_at: intent.createdAt,
      updated_at: intent.updatedAt,
    },
  }
}

export const PreviewEnvelope = exactly({
  data: exactly(
    {
      type: Type.Literal('intent_preview'),
      attributes: exactly({
        action: oneOf(ACTION_NAMES, 'What would be proposed.'),
        resource_type: oneOf(RESOURCE_TYPES, 'The type of the record that the intent would be about.'),
        resource_id: Type.String(),
        params: Type.Record(Type.String(), Type.Unknown()),
        impact_summary: Type.String({ description: 'What the reviewer would read.' }),
        scope: Type.String({ description: 'The scope that a token needs to propose the action.' }),
      }),
    },
    'IntentPreview',
  ),
})

/** An intent inside the response for a deal. */
export const IntentReview = exactly(
  {
    id: idOf('intent'),
    status: oneOf(STATUSES, 'Usually `pending`. A repeated request may return a later state.'),
    review_url: Type.String({ format: 'uri', description: 'Where a person decides.' }),
  },
  'IntentReview',
)

export function intentReview({ id, state }: Intent, origin: string): Static<typeof IntentReview> {
  return { id, status: state, review_url: reviewUrl(origin, id) }
}

export { exactly }

/** Older versions use other names for the two resource types of intents. Requests of every version may use the older names. */
export const INTENT_STEPS: readonly VersionStep[] = [
  {
    name: 'resource types of intents',
    before: '2026-11-01',
    operations: ['createIntent', 'previewIntent', 'listIntents', 'getIntent'],
    response: (body, status) =>
      status < 300 ? { ...(body as Fields), data: inData((body as OlderResponse).data) } : body,
  },
]

/** The shape that the route's schema has already checked. */
type Resource = Fields & { readonly attributes: Fields & { readonly resource_type: string } }
type OlderResponse = Fields & { readonly data: Resource | readonly Resource[] }

function inData(data: OlderResponse['data']): unknown {
  return 'attributes' in data ? older(data) : data.map(older)
}

function older({ attributes, ...rest }: Resource): Fields {
  const { resource_type: type } = attributes
  return { ...rest, attributes: { ...attributes, resource_type: OLDER_RESOURCE_TYPES[type] ?? type } }
}
