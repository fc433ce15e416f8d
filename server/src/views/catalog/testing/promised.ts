import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ExploreList } from '../explore-query.ts'
import { OneCompany, OneOffering } from '../schemas.ts'

const promise = (path: RegExp, schema: TSchema) => ({ path, validator: Compile(schema) })

/** Answers that are sent as stored text go past the serialiser, so nothing but this holds them to what the routes declare. */
const PROMISES = [
  promise(/^\/explore(\?|$)/, ExploreList),
  promise(/^\/offerings\/[^/]+$/, OneOffering),
  promise(/^\/companies\/co_[^/]+$/, OneCompany),
]

/** Throws where an answer in the newest form is not what its route promises. */
export function requirePromised(path: string, body: unknown): void {
  const validator = PROMISES.find((each) => each.path.test(path))?.validator
  if (validator === undefined || validator.Check(body)) return
  throw new Error(`${path} is not as declared: ${JSON.stringify(validator.Errors(body).slice(0, 3))}`)
}
