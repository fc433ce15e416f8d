import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MEMBER_ROLES, MEMBER_SORTS } from './directory-store.ts'
import { syndicateRoutes } from './routes.ts'

const page = await readFile(new URL('../../../../../docs/syndicates.md', import.meta.url), 'utf8')

test('docs/syndicates.md names every route, role and sort', () => {
  const unused = () => Promise.reject(new Error('only read'))
  const cursors = { seal: () => '', open: () => null }
  const routes = syndicateRoutes({ cursors, origin: () => '', settling: unused, invitationMails: null })
  for (const { path } of routes) {
    const end = path.replace('/syndicates/:syndicate_id', '').replace(':member_id', '{id}')
    expect([path, page.includes(end) || page.includes(`…/${end.split('/').at(-1)}`)]).toEqual([path, true])
  }
  for (const word of [...MEMBER_ROLES, ...MEMBER_SORTS]) expect(page).toContain(`\`${word}\``)
})
