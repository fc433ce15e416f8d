import { Type } from 'typebox'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import {
  addDeal,
  createSyndicate,
  endManager,
  PERMISSIONS,
  removeDeal,
  setManager,
  updateSyndicate,
} from '#market/syndicates/index.ts'
import { MANAGER, OFFERING, OPERATOR, SYNDICATE } from './examples.ts'
import { type FactType, factType } from './fact-type.ts'
import { AmountCents, Link, Paragraphs } from './fields.ts'

const Slug = Type.String({ pattern: '^[0-9a-z._-]{1,100}$' })
const DEALS_PER_YEAR_MAX = 1000

const Fund = Type.Union([
  Type.Object(
    {
      type: oneOf(['annual_subscription']),
      fund_investment_amount_cents: Type.Optional(nullable(AmountCents)),
      deals_per_year: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: DEALS_PER_YEAR_MAX }))),
      amount_per_deal_cents: Type.Optional(nullable(AmountCents)),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type: oneOf(['traditional_fund']),
      require_minimum_investment: Type.Boolean(),
      minimum_investment_amount_cents: Type.Optional(nullable(AmountCents)),
    },
    { additionalProperties: false },
  ),
])

const OPTIONAL = {
  tagline: Type.Optional(nullable(line(500))),
  description: Type.Optional(nullable(Paragraphs(10_000))),
  avatar_url: Type.Optional(nullable(Link)),
  published: Type.Optional(Type.Boolean()),
  launched: Type.Optional(Type.Boolean()),
  membership_open: Type.Optional(Type.Boolean()),
  auto_approval: Type.Optional(Type.Boolean()),
  auto_accept_accredited_members: Type.Optional(Type.Boolean()),
  requires_accreditation: Type.Optional(Type.Boolean()),
  fund_required: Type.Optional(Type.Boolean()),
  fund: Type.Optional(nullable(Fund)),
  primary_fund_company: Type.Optional(nullable(idOf('company'))),
}

const DEAL = Type.Object({ syndicate: idOf('syndicate'), offering: idOf('offering') }, { additionalProperties: false })

export const syndicateFacts: readonly FactType[] = [
  factType({
    type: 'syndicate.created',
    summary:
      'A syndicate was created. With a fund, members join it by investing; without one, deal by deal. The person who ' +
      'created it does not become a manager or member by this fact.',
    data: Type.Object(
      {
        id: idOf('syndicate'),
        name: line(200),
        slug: Slug,
        created_by: Type.Optional(nullable(idOf('user'))),
        ...OPTIONAL,
      },
      { additionalProperties: false },
    ),
    example: {
      id: SYNDICATE,
      name: 'Bletchley Angels',
      slug: 'bletchley-angels',
      created_by: MANAGER,
      tagline: 'We read what others cannot.',
      requires_accreditation: false,
      fund: null,
    },
    apply: (tx, { id, created_by, ...settings }, { occasion }) =>
      createSyndicate(tx, { id, createdBy: created_by ?? null, settings }, occasion),
  }),
  factType({
    type: 'syndicate.updated',
    summary: 'Settings of a syndicate changed. Omitted settings do not change. No membership changes.',
    data: Type.Object(
      { id: idOf('syndicate'), name: Type.Optional(line(200)), slug: Type.Optional(Slug), ...OPTIONAL },
      { additionalProperties: false },
    ),
    example: { id: SYNDICATE, published: true, launched: true, description: 'Hardware, at the very beginning.' },
    apply: (tx, { id, ...changes }, { occasion }) => updateSyndicate(tx, { id, changes }, occasion),
  }),
  factType({
    type: 'syndicate.manager_set',
    summary: 'A person became a manager of a syndicate, or got another permission.',
    data: Type.Object(
      { syndicate: idOf('syndicate'), user: idOf('user'), permission: oneOf(PERMISSIONS) },
      { additionalProperties: false },
    ),
    example: { syndicate: SYNDICATE, user: OPERATOR, permission: 'operator' },
    apply: (tx, { syndicate, user, permission }, { occasion }) =>
      setManager(tx, { syndicateId: syndicate, userId: user, permission }, occasion),
  }),
  factType({
    type: 'syndicate.manager_ended',
    summary: 'A person is no longer a manager of a syndicate. Their membership stays.',
    data: Type.Object({ syndicate: idOf('syndicate'), user: idOf('user') }, { additionalProperties: false }),
    example: { syndicate: SYNDICATE, user: OPERATOR },
    apply: (tx, { syndicate, user }) => endManager(tx, { syndicateId: syndicate, userId: user }),
  }),
  factType({
    type: 'syndicate.deal_added',
    summary: 'A syndicate runs an offering.',
    data: DEAL,
    example: { syndicate: SYNDICATE, offering: OFFERING },
    apply: (tx, { syndicate, offering }, { occasion }) =>
      addDeal(tx, { syndicateId: syndicate, offeringId: offering }, occasion),
  }),
  factType({
    type: 'syndicate.deal_removed',
    summary: 'A syndicate no longer runs an offering. The offering and its investments stay.',
    data: DEAL,
    example: { syndicate: SYNDICATE, offering: OFFERING },
    apply: (tx, { syndicate, offering }) => removeDeal(tx, { syndicateId: syndicate, offeringId: offering }),
  }),
]
