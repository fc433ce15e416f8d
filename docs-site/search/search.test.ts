import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { operationAddress, schemaAddress, scopeAddress } from '../../server/src/pages/reference/endpoints.ts'
import { type Guide, searchDocuments } from './documents.ts'
import { buildIndex, excerpt, loadIndex, piecesOf, search } from './engine.ts'

const API = JSON.parse(await readFile(new URL('../../server/openapi.json', import.meta.url), 'utf8'))
const GUIDE: Guide = {
  slug: 'keep-goats',
  title: 'Keep goats',
  group: 'For partners',
  sections: [
    { id: '', title: '', text: 'A guide about animals.' },
    { id: 'feed-them', title: 'Feed them', text: 'Goats eat thistles, and installations of fences.' },
  ],
}
const INDEX = loadIndex(JSON.stringify(buildIndex(searchDocuments(API, [GUIDE]))))
const firstResult = (query: string) => search(INDEX, query)[0]

describe('search', () => {
  test.each([
    ['/investments/{id}', operationAddress('Investments', 'getInvestment')],
    ['GET /webhook_endpoints/:id', operationAddress('Webhooks', 'getWebhookEndpoint')],
    ['delete /webhook_endpoints/{}', operationAddress('Webhooks', 'deleteWebhookEndpoint')],
    ['rotateWebhookEndpointSecret', operationAddress('Webhooks', 'rotateWebhookEndpointSecret')],
    ['read:investors:pii', scopeAddress('read:investors:pii')],
    ['Company', schemaAddress('Company')],
    ['feed thistles', '/docs/guides/keep-goats#feed-them'],
    ['keep goats', '/docs/guides/keep-goats'],
  ])('the first result is the page that the query names or describes: %s', (query, address) => {
    expect(firstResult(query)?.address).toBe(address)
  })

  test('a query that is the name of a field, an event or an error type lists that field, event or error type first', () => {
    expect(firstResult('voting_power_percent')).toMatchObject({ kind: 'field', title: 'voting_power_percent' })
    expect(firstResult('syndicate_member.joined')).toMatchObject({ kind: 'event', title: 'syndicate_member.joined' })
    expect(firstResult('rate_limit_exceeded')).toMatchObject({ kind: 'error', title: 'rate_limit_exceeded' })
  })

  test.each([
    ['pagination has_more next_cursor', '/docs/api/conventions#pagination'],
    ['If-None-Match etag conditional requests', '/docs/api/conventions#conditional'],
    ['what differs in 2025-01-15', '/docs/api/versions#version-2025-01-15'],
    ['get an offering in 2025-01-15', '/docs/api/versions#2026-10-01-getOffering'],
  ])('a search finds the conventions and versions of the reference: %s', (query, address) => {
    expect(
      search(INDEX, query)
        .slice(0, 5)
        .map((found) => found.address),
    ).toContain(address)
  })

  test('a search finds a title by the beginning of a word, by another form of a word and despite a typing mistake', () => {
    expect(firstResult('replay webho')?.title).toBe('Replay webhook deliveries')
    expect(firstResult('replaying webhooks delivery')?.title).toBe('Replay webhook deliveries')
    expect(firstResult('replay webhook delivereis')?.title).toBe('Replay webhook deliveries')
  })

  test('the results have each address once, except for fields, and are empty for an unknown word and for stop words', () => {
    const addresses = search(INDEX, 'webhook endpoint').filter(({ kind }) => kind !== 'field')
    expect(new Set(addresses.map(({ address }) => address)).size).toBe(addresses.length)
    expect(search(INDEX, 'zyzzyva')).toEqual([])
    expect(search(INDEX, 'what is the')).toEqual([])
  })

  test('an excerpt marks the words that matched, and is the part of a long text around them', () => {
    const result = firstResult('feed thistles')
    const words = (pieces: ReturnType<typeof piecesOf>) => pieces.flatMap((one) => (one.isMatch ? [one.text] : []))
    expect(words(piecesOf(result?.title ?? '', result?.terms ?? []))).toEqual(['Feed'])
    const long = `${'Nothing here. '.repeat(40)}Goats eat thistles. ${'Nothing there. '.repeat(40)}`
    const shown = excerpt(long, result?.terms ?? [])
    expect(words(shown)).toEqual(['thistles'])
    expect(shown.map(({ text }) => text).join('')).toMatch(/^….*Goats eat thistles\. .*…$/)
  })
})
