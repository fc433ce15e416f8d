import { describe, expect, test } from 'vitest'
import { describedRoutes } from '#main/described-routes.ts'

const ROUTES = describedRoutes()

describe('every route, pages included', () => {
  test('has a summary of at most six words without a full stop', () => {
    const long = ROUTES.filter(({ summary }) => summary.split(/\s+/).length > 6 || /[.;:]/.test(summary))
    expect(long.map(({ operation, summary }) => `${operation}: ${summary}`)).toEqual([])
  })

  test('has a summary that begins with a verb, not with an article or a question word', () => {
    const nouns = ROUTES.filter(({ summary }) => /^(An?|The|What|Where|Who|How|All|One) /.test(summary))
    expect(nouns.map(({ operation, summary }) => `${operation}: ${summary}`)).toEqual([])
  })
})
