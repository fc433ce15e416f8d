import { Type } from 'typebox'
import type { ActionName } from '#access/scopes/index.ts'
import { fieldErrors } from '#http/input/field-errors.ts'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { idOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound, validationError } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { OLDER_RESOURCE_TYPES } from '#views/activity/http.ts'
import { DealSchema } from '#views/deals/http.ts'
import { showDeal } from '#views/deals/index.ts'
import { PARAM_VALIDATORS } from './actions/params.ts'
import { ACTIONS, readableActions } from './actions/table.ts'
import type { Content, Intent, IntentState, Owner, ResourceType } from './intent.ts'
import { type ProposeDeps, preview, propose, RECORDED_HERE } from './propose.ts'
import { actionScopeMissing, forProposers, proposerOf, tokenDigestOf } from './proposer.ts'
import {
  exactly,
  IntentEnvelope,
  IntentList,
  IntentParam,
  IntentQuery,
  IntentReview,
  intentRecord,
  intentReview,
  PreviewBody,
  PreviewEnvelope,
  ProposalBody,
} from './schemas.ts'
import { findIntent, listIntents } from './store.ts'

export type IntentRouteDeps = ProposeDeps & {
  readonly cursors: CursorSealer
  readonly origin: () => string
}

const TAG = 'Intents'
const kindOf = ({ userId, installationId }: Owner) => ({ kind: `intents/${userId ?? installationId}`, version: 1 })

/** `write:syndicates` includes `read:syndicates`, which shows intents of every action. */
const FOR_READERS = forProposers('read:syndicates', 'write:comments')

/** Routes by which an app proposes. None of them approves: a person does that on our own page (review/). */
export const intentRoutes = (deps: IntentRouteDeps): Route[] => [
  route({
    operation: 'previewIntent',
    method: 'POST',
    path: '/intents/preview',
    summary: 'Preview an intent',
    description:
      'Returns what a reviewer would read, and creates nothing. Checks the proposal, but neither the action’s own scope nor the limits of proposals.',
    tag: TAG,
    action: 'intents.preview',
    access: forProposers('read:explore', 'write:syndicates', 'write:comments'),
    schema: { body: PreviewBody, response: { 200: PreviewEnvelope } },
    handler: async ({ db, caller, body }) => {
      const content = readContent(body)
      const proposer = await proposerOf(db.reads, caller)
      const { shown, about } = await preview(db.reads, { proposer, content }, deps.around)
      // "The action's own scope isn't needed", but the names of a syndicate's members need `read:syndicates`.
      const named = about === undefined || caller.scopes.has('read:syndicates')
      const { action, resourceType, resourceId, params } = content
      const attributes = {
        ...{ action, resource_type: resourceType, resource_id: resourceId, params: { ...params } },
        ...{ impact_summary: named ? shown.summary : about.unnamed, scope: ACTIONS[action].scope },
      }
      return { status: 200, body: { data: { type: 'intent_preview' as const, attributes } }, unchanged: true }
    },
  }),
  route({
    operation: 'createIntent',
    replayedAs: 'ok',
    method: 'POST',
    path: '/intents',
    summary: 'Create an intent',
    description: 'Proposes an action that cannot be undone. The action happens only after a person approves it.',
    tag: TAG,
    action: 'intents.create',
    access: forProposers('write:syndicates', 'write:comments'),
    schema: { body: ProposalBody, response: { 201: IntentEnvelope, 200: IntentEnvelope } },
    transaction: async ({ tx, caller, body, header, requestId }) => {
      const content = readContent(body)
      const { scope } = ACTIONS[content.action]
      if (!caller.scopes.has(scope)) throw actionScopeMissing(scope)
      const { idempotency_key: key, requested_by_agent: agent = null } = body
      const proposal = {
        proposer: await proposerOf(tx, caller),
        content,
        repeatKey: key === undefined ? null : `key:${key}`,
        requestedByAgent: agent,
        tokenDigest: tokenDigestOf(header),
        requestId,
      }
      const { intent, created } = await propose(tx, proposal, deps)
      const answered = { data: intentRecord(intent, deps.origin()) }
      return { status: created ? 201 : 200, body: answered, unchanged: RECORDED_HERE }
    },
  }),
  route({
    operation: 'listIntents',
    method: 'GET',
    path: '/intents',
    summary: 'List intents',
    description:
      'Returns what this app has proposed for this user or on this syndicate, newest first. A token without `read:syndicates` gets only the proposals whose scope it has.',
    tag: TAG,
    access: FOR_READERS,
    schema: { query: IntentQuery, response: { 200: IntentList } },
    handler: async ({ db, caller, query }) => {
      const { owner } = await proposerOf(db.reads, caller)
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(deps.cursors, kindOf(owner), query.cursor) ?? []
      const wanted = { ...filtersOf(query), before: before === null ? null : String(before), limit: size + 1 }
      const actions = readableActions(caller.scopes)
      const rows = query.status === 'executing' ? [] : await listIntents(db.reads, owner, { ...wanted, actions })
      const item = (intent: Intent) => intentRecord(intent, deps.origin())
      const next = ({ id }: Intent) => deps.cursors.seal(kindOf(owner), [id])
      return { status: 200, body: page({ rows, size, item, next }) }
    },
  }),
  route({
    operation: 'getIntent',
    method: 'GET',
    path: '/intents/:intent_id',
    summary: 'Get an intent',
    description: 'Returns a proposal and its current state. Needs the scope of the action, or `read:syndicates`.',
    tag: TAG,
    access: FOR_READERS,
    schema: { params: IntentParam, response: { 200: IntentEnvelope } },
    handler: async ({ db, caller, params: { intent_id: id } }) => {
      const { owner } = await proposerOf(db.reads, caller)
      const intent = await findIntent(db.reads, id)
      const readable = intent !== null && isOf(intent, owner) && readableActions(caller.scopes).includes(intent.action)
      if (!readable) throw notFound(`${id} is not the caller’s, or its action needs another scope`)
      return { status: 200, body: { data: intentRecord(intent, deps.origin()) } }
    },
  }),
  ...dealRoutes(deps),
]

/** "Only intents created by this token": by the same app, for the same user or on the same installation. */
function isOf(intent: Owner, { appId, userId, installationId }: Owner): boolean {
  return intent.appId === appId && intent.userId === userId && intent.installationId === installationId
}

function filtersOf({ status, resource_type: type, resource_id }: IntentQuery) {
  const word = type?.toLowerCase()
  const resourceType: ResourceType | null = word === undefined ? null : word === 'company' ? 'company' : 'syndicate'
  return { state: (status ?? null) as IntentState | null, resource: resource_id ?? null, resourceType }
}

type SentContent = {
  readonly action_name: ActionName
  readonly resource_type: string
  readonly resource_id: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** Validates what needs no database. "`syn_…` for Club": every version accepts the older names of resource types. */
function readContent(sent: SentContent): Content {
  const { resourceType } = ACTIONS[sent.action_name]
  const validator = PARAM_VALIDATORS[sent.action_name]
  if (sent.resource_type !== resourceType && sent.resource_type !== OLDER_RESOURCE_TYPES[resourceType]) {
    throw fieldError('resource_type', 'wrong_type', `must be ${resourceType} for ${sent.action_name}`)
  }
  const resourceId = parseId(resourceType, sent.resource_id)
  if (resourceId === null) throw fieldError('resource_id', 'invalid_format', `must be the id of a ${resourceType}`)
  const params = sent.params ?? {}
  if (!validator.Check(params)) throw paramsRefused(validator.Errors(params))
  return { action: sent.action_name, resourceType, resourceId, params }
}

function paramsRefused(issues: Parameters<typeof fieldErrors>[0]) {
  const errors = fieldErrors(issues, 'params')
  return validationError(
    errors.map((error) => ({ ...error, field: error.field === 'params' ? 'params' : `params.${error.field}` })),
  )
}

function fieldError(field: string, code: string, message: string) {
  return validationError([{ field, code, message }])
}

type Deps = ProposeDeps & { readonly origin: () => string }

const Deal = Type.Object({ syndicate_id: idOf('syndicate'), fundraise_id: idOf('offering') })

/** "Does not close. Mints a pending intent … Repeat call → same pending intent." The same for finalizing. */
const dealRoutes = (deps: Deps): Route[] => [
  route({
    operation: 'closeSyndicateDeal',
    method: 'POST',
    path: '/syndicates/:syndicate_id/deals/:fundraise_id/close',
    summary: 'Propose to close a deal',
    description:
      'Creates an intent to close a deal. While this intent is pending, approved or executed, repeating the request returns the same intent.',
    tag: 'Intents',
    access: forProposers('write:syndicates'),
    schema: {
      params: Deal,
      response: { 200: exactly({ data: DealSchema, meta: exactly({ close_deal_intent: IntentReview }) }) },
    },
    transaction: async (request) => {
      const { data, review } = await proposeFor(deps, { ...request, name: 'close_deal' })
      return { status: 200, body: { data, meta: { close_deal_intent: review } }, unchanged: RECORDED_HERE }
    },
  }),
  route({
    operation: 'finalizeSyndicateDeal',
    method: 'POST',
    path: '/syndicates/:syndicate_id/deals/:fundraise_id/finalize',
    summary: 'Propose to finalize a deal',
    description:
      'Creates an intent to finalize a deal. While this intent is pending, approved or executed, repeating the request returns the same intent.',
    tag: 'Intents',
    access: forProposers('write:syndicates'),
    schema: {
      params: Deal,
      response: { 200: exactly({ data: DealSchema, meta: exactly({ finalize_deal_intent: IntentReview }) }) },
    },
    transaction: async (request) => {
      const { data, review } = await proposeFor(deps, { ...request, name: 'finalize_deal' })
      return { status: 200, body: { data, meta: { finalize_deal_intent: review } }, unchanged: RECORDED_HERE }
    },
  }),
]

type ProposalRequest = {
  readonly tx: Parameters<typeof propose>[0]
  readonly caller: Parameters<typeof proposerOf>[1]
  readonly params: { readonly syndicate_id: Id<'syndicate'>; readonly fundraise_id: Id<'offering'> }
  readonly header: (name: string) => string | undefined
  readonly requestId: string
  readonly name: 'close_deal' | 'finalize_deal'
}

async function proposeFor(deps: Deps, { tx, caller, params, header, requestId, name }: ProposalRequest) {
  const { syndicate_id: syndicate, fundraise_id: offering } = params
  const action: ActionName = `syndicates.${name}`
  const content = {
    action,
    resourceType: 'syndicate',
    resourceId: syndicate,
    params: { fundraise_id: offering },
  } as const
  const proposal = {
    proposer: await proposerOf(tx, caller),
    content,
    repeatKey: `deal:${name}:${syndicate}:${offering}`,
    requestedByAgent: null,
    tokenDigest: tokenDigestOf(header),
    requestId,
  }
  const { intent } = await propose(tx, proposal, deps)
  const data = await showDeal(tx, { syndicate, offering }, deps.origin())
  return { data, review: intentReview(intent, deps.origin()) }
}
