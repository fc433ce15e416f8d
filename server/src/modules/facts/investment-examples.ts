import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { Ref } from './profile-fields.ts'

/** What most facts about an investment have in common: the investment, and in the examples always the same one. */
export const WHICH = Type.Object({ id: Ref('investment') }, { additionalProperties: false })

export const INVESTMENT = 'inv_0ExampleNounInvestment00' as Id<'investment'>
export const OFFERING = 'ofr_0ExampleNounOffering0000' as Id<'offering'>
