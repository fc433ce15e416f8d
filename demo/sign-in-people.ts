import type { Accreditation } from '@portico/server/access/people/index.ts'
import type { TownName } from './content/towns.ts'

export const PARTS = ['founder', 'editor', 'investor', 'manager', 'developer'] as const
export type Part = (typeof PARTS)[number]

export type Lead = {
  readonly part: Part
  readonly name: string
  readonly email: string
  /** Not secret: the demo is created only if no other machine can reach the service. */
  readonly password: string
  readonly home: TownName
  readonly bio: string
  readonly accreditation: Accreditation
}

/** The five people to sign in as. */
export const CAST: readonly Lead[] = [
  lead('founder', 'Amara Osei', {
    home: 'oakland',
    accreditation: 'self_attested',
    bio: 'Potter, then process engineer, now building electric kilns at Brightkiln.',
  }),
  lead('editor', 'Jonas Lindqvist', {
    home: 'san_francisco',
    accreditation: 'none',
    bio: 'Writes the updates and answers the questions for two climate companies, and helps run Open Table Collective.',
  }),
  lead('investor', 'Priya Raman', {
    home: 'seattle',
    accreditation: 'verified',
    bio: 'Came for a friend’s bakery, now holds twenty-odd companies.',
  }),
  lead('manager', 'Daniel Reyes', {
    home: 'chicago',
    accreditation: 'verified',
    bio: 'Runs Lakeshore Angels and Harbor Street Partners. Visits before investing.',
  }),
  lead('developer', 'Mei Huang', {
    home: 'austin',
    accreditation: 'none',
    bio: 'Builds integrations at Fieldbook.',
  }),
]

function lead(part: Part, name: string, rest: Pick<Lead, 'home' | 'accreditation' | 'bio'>): Lead {
  return { part, name, email: `${part}@portico.example`, password: `portico-demo-${part}`, ...rest }
}
