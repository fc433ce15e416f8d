import type { OpenApiDocument } from '#http/openapi-types.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { describeApi, VERSION_STEPS } from '#main/routes.ts'
import { SETTINGS } from '#main/settings.ts'
import { REFERENCE, schemaAddress, topicAddress } from '#pages/reference/endpoints.ts'
import { referencePages } from '#pages/reference/page.ts'

/** Topics of the reference that are not tags of the OpenAPI document. */
const COMMON_TOPICS = ['Conventions', 'Versions', 'Errors', 'Scopes', 'Schemas']

export type WholeReference = {
  readonly document: OpenApiDocument
  /** The markup of every page, by its address. */
  readonly pages: ReadonlyMap<string, string>
}

/** Renders all pages of the reference without starting a service, as a service without a demo serves them. */
export function wholeReference(): WholeReference {
  const api = { brand: SETTINGS.brand.default, baseUrl: 'https://api.example' }
  const document = describeApi(describedRoutes(), api)
  const pageAt = referencePages(
    document,
    { style: '/docs/reference.css', script: '/docs/reference.js' },
    null,
    VERSION_STEPS,
  )
  const topics = [...document.tags.map(({ name }) => name), ...COMMON_TOPICS]
  const addresses = [
    REFERENCE,
    ...topics.map(topicAddress),
    ...Object.keys(document.components.schemas).map(schemaAddress),
  ]
  const pages = addresses.map((address) => {
    const markup = pageAt(address)
    if (markup === null) throw new Error(`the reference has no page at ${address}`)
    return [address, markup] as const
  })
  return { document, pages: new Map(pages) }
}
