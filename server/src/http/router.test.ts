import { describe, expect, test } from 'vitest'
import { Router } from './router.ts'

function routing(...patterns: readonly (readonly [method: string, pattern: string])[]) {
  const router = new Router<string>()
  for (const [method, pattern] of patterns) router.add(method, pattern, `${method} ${pattern}`)
  return (method: string, path: string) => {
    const found = router.find(method, path)
    return found === null ? null : [found.served, { ...found.params }]
  }
}

describe('a path', () => {
  const find = routing(
    ['GET', '/'],
    ['GET', '/companies/:id'],
    ['PATCH', '/companies/:id'],
    ['GET', '/companies/search'],
    ['GET', '/companies/:company_id/investments/changes'],
    ['GET', '/companies/search/:word/again'],
    ['GET', '/:any/other'],
    ['GET', '/guides/:slug'],
    ['GET', '/guides/:slug.md'],
  )

  test.each([
    ['the root', 'GET', '/', 'GET /', {}],
    ['a parameter', 'GET', '/companies/co_1', 'GET /companies/:id', { id: 'co_1' }],
    ['a fixed word before a parameter', 'GET', '/companies/search', 'GET /companies/search', {}],
    [
      'a parameter if the fixed word has another method',
      'PATCH',
      '/companies/search',
      'PATCH /companies/:id',
      { id: 'search' },
    ],
    [
      'a parameter if the path after the fixed word has no route',
      'GET',
      '/companies/search/investments/changes',
      'GET /companies/:company_id/investments/changes',
      { company_id: 'search' },
    ],
    ['HEAD is GET', 'HEAD', '/companies/co_1', 'GET /companies/:id', { id: 'co_1' }],
    ['an encoded slash is part of its segment', 'GET', '/companies/a%2Fb', 'GET /companies/:id', { id: 'a/b' }],
    ['an encoded word is that word', 'GET', '/%63ompanies/%73earch', 'GET /companies/search', {}],
    ['a word that is also a name of Object', 'GET', '/companies/__proto__', 'GET /companies/:id', { id: '__proto__' }],
    ['a parameter if a fixed word has no route', 'GET', '/companies/other', 'GET /companies/:id', { id: 'other' }],
    ['a parameter with an ending', 'GET', '/guides/brand.md', 'GET /guides/:slug.md', { slug: 'brand' }],
    ['an ending alone', 'GET', '/guides/.md', 'GET /guides/:slug', { slug: '.md' }],
    ['another ending', 'GET', '/guides/brand.mdx', 'GET /guides/:slug', { slug: 'brand.mdx' }],
    ['the first segment', 'GET', '/x/other', 'GET /:any/other', { any: 'x' }],
  ])('%s', (_, method, path, served, params) => {
    expect(find(method, path)).toEqual([served, params])
  })

  test.each([
    ['GET', ''],
    ['GET', '*'],
    ['GET', '/companies'],
    ['GET', '/companies/'],
    ['GET', '/companies/co_1/'],
    ['GET', '//companies/co_1'],
    ['GET', '/companies//investments/changes'],
    ['POST', '/companies/co_1'],
    ['GET', '/Companies/co_1'],
    ['GET', 'http://x/companies/co_1'],
  ])('%s %s has no route', (method, path) => {
    expect(find(method, path)).toBeNull()
  })

  test.each(['/companies/%', '/companies/%zz', '/%E0%A4%A', '/nowhere/%c3%28'])('%s is rejected', (path) => {
    expect(() => find('GET', path)).toThrow('not correctly percent-encoded')
  })

  test('cannot be registered twice', () => {
    expect(() => routing(['GET', '/a/:x'], ['GET', '/a/:y'])).toThrow('GET /a/:y is served twice')
  })
})
