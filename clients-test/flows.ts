import createClient from 'openapi-fetch'
import { client as heyClient } from './generated/hey/client.gen.ts'
import { createToken, getCompany, listOfferings } from './generated/hey/sdk.gen.ts'
import type { paths } from './generated/schema.ts'

/** Each flow requests a token and reads the catalogue, with a client that was generated from the OpenAPI document. */
export type Access = { readonly base_url: string; readonly client_id: string; readonly client_secret: string }

export async function openapiFetchFlow({ base_url, client_id, client_secret }: Access): Promise<string> {
  const client = createClient<paths>({ baseUrl: base_url })
  const form = { grant_type: 'client_credentials', client_id, client_secret } as const
  const token = await client.POST('/oauth/token', {
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  if (token.data === undefined) throw new Error(`no token: ${JSON.stringify(token.error)}`)
  const headers = { authorization: `Bearer ${token.data.access_token}` }
  const offerings = await client.GET('/explore', { params: { query: { per_page: 2 } }, headers })
  const [first] = offerings.data?.data ?? []
  if (first === undefined) throw new Error(`no offering: ${JSON.stringify(offerings.error)}`)
  const offering = await client.GET('/offerings/{id}', { params: { path: { id: first.id } }, headers })
  if (offering.data?.data.id !== first.id) throw new Error(`not the offering: ${JSON.stringify(offering.error)}`)
  return first.id
}

export async function heyApiFlow({ base_url, client_id, client_secret }: Access): Promise<string> {
  heyClient.setConfig({ baseUrl: base_url })
  const token = await createToken({ body: { grant_type: 'client_credentials', client_id, client_secret } })
  const access = token.data?.access_token
  if (access === undefined) throw new Error(`no token: ${JSON.stringify(token.error)}`)
  heyClient.setConfig({ baseUrl: base_url, auth: () => access })
  const offerings = await listOfferings({ query: { per_page: 2 } })
  const [first] = offerings.data?.data ?? []
  if (first === undefined) throw new Error(`no offering: ${JSON.stringify(offerings.error)}`)
  const id = JSON.stringify(first).match(/co_[0-9A-Za-z]{24}/)?.[0] ?? ''
  const company = await getCompany({ path: { id } })
  if (company.data?.data.id !== id) throw new Error(`not the company: ${JSON.stringify(company.error)}`)
  return id
}
