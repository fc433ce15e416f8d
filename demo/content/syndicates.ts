import type { DemoRole } from '../sign-in-people.ts'

/** How a person joins a syndicate, leaves it, or fails to join. */
export type Path =
  | 'member'
  | 'returned'
  | 'left'
  | 'removed'
  | 'pending'
  | 'declined'
  | 'applied_again'
  | 'withdrawn'
  | 'invited'
  | 'reinvited'
  | 'joined_on_invitation'
  | 'approved'
  | 'payment_failed'
  | 'paid_later'

export type SyndicateStory = {
  readonly name: string
  readonly slug: string
  readonly tagline: string
  readonly description: string
  /** How many days ago the syndicate was founded. */
  readonly founded: number
  readonly joining: 'approval' | 'automatic' | 'fund'
  readonly accredited: boolean
  /**
   * The role of a second manager whom visitors can sign in as: one manager proposes a change, and the second manager
   * approves it.
   */
  readonly runWith?: DemoRole
  readonly deals: readonly { readonly slug: string; readonly round: number }[]
  readonly paths: Readonly<Partial<Record<Path, number>>>
}

export const SYNDICATES: readonly SyndicateStory[] = [
  {
    name: 'Lakeshore Angels',
    slug: 'lakeshore-angels',
    tagline: 'Twenty-odd people from the Midwest who visit before they invest',
    description:
      'We meet on the first Tuesday of the month, listen to three founders and write one cheque together. A person who wants to ' +
      'join tells us what they know that we do not; two of us read every application.',
    founded: 420,
    joining: 'approval',
    accredited: false,
    deals: [
      { slug: 'plumbline-robotics', round: 0 },
      { slug: 'cobalt-reef', round: 0 },
      { slug: 'cantilever-health', round: 0 },
      { slug: 'grainshare', round: 0 },
    ],
    paths: {
      member: 16,
      returned: 1,
      left: 2,
      removed: 1,
      pending: 4,
      declined: 2,
      applied_again: 1,
      withdrawn: 1,
      invited: 3,
      reinvited: 1,
      joined_on_invitation: 3,
    },
  },
  {
    name: 'Open Table Collective',
    slug: 'open-table-collective',
    tagline: 'Neighbours who put a hundred dollars into the places where they eat',
    description: 'Every person may join, nobody has to invest. We share what we learn about kitchens, leases and rye.',
    founded: 210,
    joining: 'automatic',
    accredited: false,
    runWith: 'editor',
    deals: [
      { slug: 'marrow-and-rye', round: 0 },
      { slug: 'orchard-street-kitchen', round: 0 },
      { slug: 'copperline-brewing', round: 0 },
    ],
    paths: { member: 24, returned: 1, left: 3, removed: 1, invited: 2, joined_on_invitation: 2 },
  },
  {
    name: 'Harbor Street Partners',
    slug: 'harbor-street-partners',
    tagline: 'The people behind Harbor Street Climate Fund I',
    description:
      'Members commit to the fund, not to single deals. An application is approved first; the membership begins when ' +
      'the money has arrived.',
    founded: 160,
    joining: 'fund',
    accredited: true,
    deals: [
      { slug: 'harbor-street-climate-fund', round: 0 },
      { slug: 'brightkiln', round: 2 },
    ],
    paths: {
      member: 11,
      approved: 3,
      payment_failed: 2,
      paid_later: 1,
      pending: 3,
      declined: 1,
      withdrawn: 1,
      left: 1,
    },
  },
]
