import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { COMPANY_ROLES, endRole, followCompany, setRole, unfollowCompany } from '#modules/companies/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { Ref, Word } from './profile-fields.ts'

const ROLE = Type.Object(
  { company: Ref('company'), user: Ref('user'), role: Word(COMPANY_ROLES) },
  { additionalProperties: false },
)

const FOLLOW = Type.Object({ company: Ref('company'), user: Ref('user') }, { additionalProperties: false })

const COMPANY = 'co_0ExampleNounCompany00000' as Id<'company'>
const EDITOR = 'usr_0ExampleNounEditor000000' as Id<'user'>
const INVESTOR = 'usr_0ExampleNounInvestor0000' as Id<'user'>

/** What people are to a company: its team and its followers. */
export const companyPeopleFacts: readonly FactType[] = [
  factType({
    type: 'company.person_set',
    summary: 'A person has a role at a company, beside those they have there. Founder, admin and editor may edit it.',
    data: ROLE,
    example: { company: COMPANY, user: EDITOR, role: 'editor' },
    apply: (tx, data, { occasion }) => setRole(tx, data, occasion),
  }),
  factType({
    type: 'company.person_ended',
    summary: 'A role that a person has at a company ended. It can start again.',
    data: ROLE,
    example: { company: COMPANY, user: EDITOR, role: 'editor' },
    apply: (tx, data, { occasion }) => endRole(tx, data, occasion),
  }),
  factType({
    type: 'company.followed',
    summary: 'A person put a company on their watchlist. Once there, it stays as it is.',
    data: FOLLOW,
    example: { company: COMPANY, user: INVESTOR },
    apply: (tx, data, { occasion }) => followCompany(tx, data, occasion),
  }),
  factType({
    type: 'company.unfollowed',
    summary: 'A person took a company off their watchlist, if it was there.',
    data: FOLLOW,
    example: { company: COMPANY, user: INVESTOR },
    apply: (tx, data) => unfollowCompany(tx, data),
  }),
]
