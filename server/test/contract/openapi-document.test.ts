import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '#http/openapi-types.ts'
import { describedRoutes } from '#main/generated-documents.ts'

const ROUTES = describedRoutes()

describe('every route, pages included', () => {
  test('has a summary of at most six words without a full stop', () => {
    const long = ROUTES.filter(({ summary }) => summary.split(/\s+/).length > 6 || /[.;:]/.test(summary))
    expect(long.map(({ operation, summary }) => `${operation}: ${summary}`)).toEqual([])
  })

  test('has a summary that does not begin with an article, a question word, "All" or "One"', () => {
    const nouns = ROUTES.filter(({ summary }) => /^(An?|The|What|Where|Who|How|All|One) /.test(summary))
    expect(nouns.map(({ operation, summary }) => `${operation}: ${summary}`)).toEqual([])
  })
})

describe('the statuses of the document', () => {
  const statuses = async () => {
    const text = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
    const { paths } = JSON.parse(text) as OpenApiDocument
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ operationId, responses }) => ({
        path,
        operationId,
        statuses: Object.keys(responses ?? {}),
      })),
    )
  }

  test('list 421 on every operation except the health checks and the metrics', async () => {
    const without = (await statuses()).filter((operation) => !operation.statuses.includes('421'))
    expect(without.map(({ path }) => path).toSorted()).toEqual(['/healthz', '/metrics', '/readyz'])
  })

  test('list no success for removing a member, which is always 422 use_intents', async () => {
    const found = (await statuses()).find(({ operationId }) => operationId === 'removeSyndicateMember')
    expect(found?.statuses).toContain('422')
    expect(found?.statuses.filter((status) => /^[23]/.test(status))).toEqual([])
  })
})
