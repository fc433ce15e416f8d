import type { Accreditation } from '@portico/server/access/people/index.ts'
import type { TownName } from './content/towns.ts'

export const DEMO_ROLES = ['founder', 'editor', 'investor', 'manager', 'developer'] as const
export type DemoRole = (typeof DEMO_ROLES)[number]

export type SignInPerson = {
  readonly demoRole: DemoRole
  readonly name: string
  readonly email: string
  /** The password is public, because by default a demo is created only on a service that no other machine can reach. */
  readonly password: string
  readonly home: TownName
  readonly bio: string
  readonly accreditation: Accreditation
}

/** The five people whom visitors can sign in as. */
export const SIGN_IN_PEOPLE: readonly SignInPerson[] = [
  signInPerson('founder', 'Amara Osei', {
    home: 'oakland',
    accreditation: 'self_attested',
    bio: 'Potter, then process engineer, now building electric kilns at Brightkiln.',
  }),
  signInPerson('editor', 'Jonas Lindqvist', {
    home: 'san_francisco',
    accreditation: 'none',
    bio: 'Writes the updates and answers the questions for two climate companies, and helps run Open Table Collective.',
  }),
  signInPerson('investor', 'Priya Raman', {
    home: 'seattle',
    accreditation: 'verified',
    bio: 'Came for a friend’s bakery, now holds twenty-odd companies.',
  }),
  signInPerson('manager', 'Daniel Reyes', {
    home: 'chicago',
    accreditation: 'verified',
    bio: 'Runs Lakeshore Angels and Harbor Street Partners. Visits before investing.',
  }),
  signInPerson('developer', 'Mei Huang', {
    home: 'austin',
    accreditation: 'none',
    bio: 'Builds integrations at Fieldbook.',
  }),
]

function signInPerson(
  demoRole: DemoRole,
  name: string,
  rest: Pick<SignInPerson, 'home' | 'accreditation' | 'bio'>,
): SignInPerson {
  return { demoRole, name, email: `${demoRole}@portico.example`, password: `portico-demo-${demoRole}`, ...rest }
}
