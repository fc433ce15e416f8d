import type { CompanyStory } from '../story.ts'
import { CLIMATE } from './climate.ts'
import { EUROPE } from './europe.ts'
import { FOOD } from './food.ts'
import { HEALTH } from './health.ts'
import { HISTORY } from './history.ts'
import { PLACES } from './places.ts'
import { TECHNOLOGY } from './technology.ts'

/** All of them; the first is the founder’s. */
export const COMPANIES: readonly CompanyStory[] = [
  ...CLIMATE,
  ...FOOD,
  ...HEALTH,
  ...TECHNOLOGY,
  ...PLACES,
  ...EUROPE,
  ...HISTORY,
]
