import openapiTypes, { astToString } from 'openapi-typescript'

type Schemas = Readonly<Record<string, unknown>>
type Document = { readonly paths: Schemas; readonly components: { readonly schemas: Schemas } }

/** Writes the types of all routes that the portal and the console call, from the OpenAPI document. */
export async function portalApiTypes(document: Document): Promise<string> {
  const { components } = document
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => /^\/(portal\/api\/|platform\/|sandbox\/clock$)/.test(path)),
  )
  const schemas = referredSchemas([paths, { ...components, schemas: {} }], components.schemas)
  const part = { ...document, webhooks: {}, paths, components: { ...components, schemas } }
  const nodes = await openapiTypes(JSON.stringify(part), { alphabetize: true, excludeDeprecated: true })
  return `// Generated from server/openapi.json by npm run generate. Do not edit.\n\n${astToString(nodes)}`
}

/** All schemas that a part of the document refers to, directly or through another schema. */
function referredSchemas(from: unknown, schemas: Schemas): Schemas {
  const found: Record<string, unknown> = {}
  const add = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (Object.hasOwn(found, name)) continue
      found[name] = schemas[name]
      add(schemas[name])
    }
  }
  add(from)
  return found
}
