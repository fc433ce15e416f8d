import { Type } from 'typebox'
import {
  abandonInvestmentSession,
  cancelInvestmentSession,
  completeInvestmentSession,
  createInvestmentSession,
  expireInvestmentSession,
  FUNDING_STATUSES,
  KYC_STATUSES,
  reportProgress,
  resumeInvestmentSession,
  startInvestmentSession,
} from '#hosted/sessions/index.ts'
import { idOf, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { INVESTMENT, INVESTOR, OFFERING } from './examples.ts'
import { type FactType, factType } from './fact-type.ts'
import { AmountCents, Email, HttpUrl, Time, withTimes } from './fields.ts'

const SESSION = 'is_0ExampleNounInvSess00000' as Id<'investmentSession'>
/** One session that was started, and one that was never opened. */
const UNDER_WAY = 'is_0ExampleNounInvSess20000' as Id<'investmentSession'>
const UNOPENED = 'is_0ExampleNounToCancel0000' as Id<'investmentSession'>

const WHICH = Type.Object({ id: idOf('investmentSession') }, { additionalProperties: false })

export const investmentSessionFacts: readonly FactType[] = [
  factType({
    type: 'investment_session.created',
    summary:
      'A partner sent a known investor, given by email or user, to a hosted checkout for one offering. Without ' +
      'allocation_cents the investor chooses the amount.',
    data: Type.Object(
      {
        id: idOf('investmentSession'),
        offering: idOf('offering'),
        email: Type.Optional(Email),
        user: Type.Optional(idOf('user')),
        allocation_cents: Type.Optional(Type.Unsafe<Cents>(AmountCents)),
        success_url: Type.Optional(HttpUrl),
        metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        installation: Type.Optional(idOf('installation')),
        expires_at: Time,
      },
      { additionalProperties: false },
    ),
    example: {
      id: SESSION,
      offering: OFFERING,
      email: 'investor@example.org',
      allocation_cents: 25_000 as Cents,
      metadata: { campaign: 'spring' },
      expires_at: '2099-01-01T00:00:00Z',
    },
    apply: (tx, data, { occasion }) => {
      const dated = withTimes(data, 'expires_at')
      const { offering, user, allocation_cents, installation, success_url, expires_at, ...rest } = dated
      const session = {
        ...rest,
        offeringId: offering,
        expiresAt: expires_at,
        ...(user === undefined ? {} : { userId: user }),
        ...(allocation_cents === undefined ? {} : { allocationCents: allocation_cents }),
        ...(installation === undefined ? {} : { installationId: installation }),
        ...(success_url === undefined ? {} : { successUrl: success_url }),
      }
      return createInvestmentSession(tx, session, occasion)
    },
  }),
  factType({
    type: 'investment_session.started',
    summary: 'The recipient opened the link and started the hosted flow.',
    data: Type.Object(
      { id: idOf('investmentSession'), user: Type.Optional(idOf('user')) },
      { additionalProperties: false },
    ),
    example: { id: SESSION, user: INVESTOR },
    apply: (tx, { id, user }, { occasion }) =>
      startInvestmentSession(tx, { id, ...(user === undefined ? {} : { userId: user }) }, occasion),
  }),
  factType({
    type: 'investment_session.progressed',
    summary: 'The recipient’s checks or payment have a result, in a flow that has started. No event.',
    data: Type.Object(
      {
        id: idOf('investmentSession'),
        kyc_status: Type.Optional(oneOf(KYC_STATUSES)),
        funding_status: Type.Optional(oneOf(FUNDING_STATUSES)),
      },
      { additionalProperties: false },
    ),
    example: { id: SESSION, kyc_status: 'passed', funding_status: 'succeeded' },
    apply: (tx, { id, kyc_status, funding_status }) =>
      reportProgress(tx, {
        id,
        ...(kyc_status === undefined ? {} : { kycStatus: kyc_status }),
        ...(funding_status === undefined ? {} : { fundingStatus: funding_status }),
      }),
  }),
  factType({
    type: 'investment_session.completed',
    summary:
      'The recipient’s investment in the session’s offering was created and confirmed. A reservation needs no confirmation.',
    data: Type.Object(
      { id: idOf('investmentSession'), investment: idOf('investment') },
      { additionalProperties: false },
    ),
    example: { id: SESSION, investment: INVESTMENT },
    apply: (tx, { id, investment }, { occasion }) =>
      completeInvestmentSession(tx, { id, investmentId: investment }, occasion),
  }),
  factType({
    type: 'investment_session.abandoned',
    summary: 'The recipient left the flow. No event is sent, because they may return.',
    data: WHICH,
    example: { id: UNDER_WAY },
    apply: (tx, data, { occasion }) => abandonInvestmentSession(tx, data, occasion),
  }),
  factType({
    type: 'investment_session.resumed',
    summary: 'The recipient returned to the flow. No event is sent.',
    data: WHICH,
    example: { id: UNDER_WAY },
    apply: (tx, data, { occasion }) => resumeInvestmentSession(tx, data, occasion),
  }),
  factType({
    type: 'investment_session.expired',
    summary: 'A session expired before its completion. Sessions also expire by themselves at expires_at.',
    data: WHICH,
    example: { id: UNDER_WAY },
    apply: (tx, data, { occasion }) => expireInvestmentSession(tx, data, occasion),
  }),
  factType({
    type: 'investment_session.canceled',
    summary: 'The partner that created a session canceled it.',
    data: WHICH,
    example: { id: UNOPENED },
    apply: (tx, data, { occasion }) => cancelInvestmentSession(tx, data, occasion),
  }),
]
