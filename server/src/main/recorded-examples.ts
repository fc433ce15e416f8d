import { readFileSync } from 'node:fs'
import type { ApiExamples } from '#http/openapi-examples.ts'

const FILE = new URL('../../openapi-examples.json', import.meta.url)

/** Requests and responses of the demo world for the OpenAPI document; `npm run generate:examples` records them again. */
export function recordedExamples(): ApiExamples {
  return JSON.parse(readFileSync(FILE, 'utf8')) as ApiExamples
}
