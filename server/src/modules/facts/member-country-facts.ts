import { Type } from 'typebox'
import { setMemberCountries } from '#modules/syndicates/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { Nullable } from './fields.ts'
import { Ref } from './profile-fields.ts'
import { SYNDICATE } from './syndicate-examples.ts'

/** ISO 3166-1 alpha-2; there are about 250. */
const Country = Type.String({ pattern: '^[A-Z]{2}$' })
const COUNTRIES_MAX = 250

export const memberCountryFacts: readonly FactType[] = [
  factType({
    type: 'syndicate.member_countries_set',
    summary:
      'Where the members of a syndicate may live, from now on: ISO codes of two letters, compared with the country of the ' +
      'person’s address, and of their location only where there is no address. Null: anywhere. Who lives elsewhere cannot ' +
      'join from a partner’s site.',
    data: Type.Object(
      {
        syndicate: Ref('syndicate'),
        countries: Nullable(Type.Array(Country, { minItems: 1, maxItems: COUNTRIES_MAX })),
      },
      { additionalProperties: false },
    ),
    example: { syndicate: SYNDICATE, countries: ['GB', 'US'] },
    apply: (tx, { syndicate: id, countries }, { occasion }) => setMemberCountries(tx, { id, countries }, occasion),
  }),
]
