import type { Id } from '#kernel/ids.ts'

/** Whom the examples about syndicates and sessions tell of: one syndicate, its people, and what they invest in. */
export const SYNDICATE = 'syn_0ExampleNounSyndicate000' as Id<'syndicate'>

export const MANAGER = 'usr_0ExampleNounManager00000' as Id<'user'>
export const OPERATOR = 'usr_0ExampleNounEditor000000' as Id<'user'>
export const MEMBER = 'usr_0ExampleNounMember000000' as Id<'user'>
export const INVESTOR = 'usr_0ExampleNounInvestor0000' as Id<'user'>
export const FOUNDER = 'usr_0ExampleNounFounder00000' as Id<'user'>

export const OFFERING = 'ofr_0ExampleNounOffering0000' as Id<'offering'>
export const INVESTMENT = 'inv_0ExampleNounInvestment00' as Id<'investment'>

export const INVITED_EMAIL = 'alan@example.org'
