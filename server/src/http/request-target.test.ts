import { expect, test } from 'vitest'
import { targetOf } from './client-address.ts'

test.each([
  ['/a/b', null, '/a/b', ''],
  ['/a?b=c', null, '/a', 'b=c'],
  ['/a?b=c?d#e', null, '/a', 'b=c?d#e'],
  ['/a#b', null, '/a', 'b'],
  ['http://x.example:80/a?b', 'x.example:80', '/a', 'b'],
  ['HTTPS://X.example/a', 'X.example', '/a', ''],
  ['http://x.example', 'x.example', '/', ''],
  ['http://x.example?a=1', 'x.example', '/', 'a=1'],
  ['http:///a', '', '/a', ''],
  ['//x.example/a', null, '//x.example/a', ''],
  ['ftp://x/a', null, 'ftp://x/a', ''],
  ['*', null, '*', ''],
  ['', null, '', ''],
])('the target %j is split into host, path and query', (url, host, path, queryText) => {
  expect(targetOf(url)).toEqual({ host, path, queryText })
})
