import type { Course } from '../investments/courses.ts'

/** The stakes, reservations and cancellations of the demo's investor: some of every kind. */
export type Stake = {
  readonly slug: string
  /** Which of the company’s rounds. */
  readonly round: number
  readonly course: Course
  readonly units: number
  /** How far into the round, from 0 at its opening to 1 at its end or today. */
  readonly when: number
}

export const PORTFOLIO: readonly Stake[] = [
  stake('brightkiln', 0, 'converted', 1_000, 0.2),
  stake('brightkiln', 1, 'confirmed', 2_500, 0.55),
  stake('tidewell', 0, 'executed', 1_500, 0.1),
  stake('heatharbor', 0, 'confirmed', 840, 0.5),
  stake('driftless-solar-commons', 0, 'executed', 500, 0.15),
  stake('kelpline', 0, 'reserved', 600, 0.4),
  stake('marrow-and-rye', 0, 'confirmed', 300, 0.5),
  stake('fathom-foods', 0, 'executed', 925, 0.2),
  stake('cantilever-health', 0, 'ready', 10_000, 0.8),
  stake('ferrous-diagnostics', 0, 'executed', 2_400, 0.3),
  stake('lantern-sleep', 0, 'canceled', 500, 0.4),
  stake('quietude', 0, 'unpaid', 250, 0.7),
  stake('foxglove-games', 0, 'confirmed', 200, 0.3),
  stake('cobalt-reef', 0, 'confirmed', 25_000, 0.5),
  stake('vireo-aerospace', 0, 'paying', 1_200, 0.97),
  stake('wayfound', 0, 'executed', 1_000, 0.2),
  stake('grainshare', 0, 'executed', 750, 0.4),
  stake('lumen-street', 0, 'executed', 400, 0.3),
  stake('tallgrass-festival', 0, 'confirmed', 200, 0.3),
  stake('main-street-makers-fund', 0, 'executed', 1_000, 0.1),
  stake('harbor-street-climate-fund', 0, 'confirmed', 25_000, 0.4),
  stake('trailhead-commons', 0, 'zeroed', 300, 0.3),
]

function stake(slug: string, round: number, course: Course, units: number, when: number): Stake {
  return { slug, round, course, units, when }
}
