import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ExploreList, OneCompany, OneOffering } from '../schemas.ts'

const promise = (path: RegExp, schema: TSchema) => ({ path, validator: Compile(schema) })

/** Responses that are sent as stored text bypass the serializer, so only these checks compare them with the declared schemas. */
const PROMISES = [
  promise(/^\/explore(\?|$)/, ExploreList),
  promise(/^\/offerings\/[^/]+$/, OneOffering),
  promise(/^\/companies\/co_[^/]+$/, OneCompany),
]

/** Throws if a response in the newest form does not match its route's schema. */
export function requirePromised(path: string, body: unknown): void {
  const validator = PROMISES.find((each) => each.path.test(path))?.validator
  if (validator === undefined || validator.Check(body)) return
  throw new Error(`${path} does not match its schema: ${JSON.stringify(validator.Errors(body).slice(0, 3))}`)
}
