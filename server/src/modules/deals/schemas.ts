import { Type } from 'typebox'
import { exactly, idOf } from '#modules/catalog/http.ts'
import { DealSchema } from './deal/deal-schema.ts'

export const SyndicateParam = Type.Object({ syndicate_id: idOf('syndicate') })
export const DealParams = Type.Object({ syndicate_id: idOf('syndicate'), fundraise_id: idOf('offering') })
export const MemberParams = Type.Object({ syndicate_id: idOf('syndicate'), member_id: idOf('membership') })
export const OneDeal = exactly({ data: DealSchema })
