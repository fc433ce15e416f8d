import { expect } from 'vitest'
import type { Answer } from './client.ts'
import type { Stage } from './stage.ts'

const DAY_MS = 86_400_000

/** Reads the deal catalogue as an app without a user, and as a user. */
export async function readCatalogue({ client, tokens, ids }: Stage): Promise<void> {
  const { app, investor } = tokens
  for (const bearer of [app, investor]) {
    const first = await client.call('listOfferings', 'GET', '/explore?sort=most_raised&per_page=2', { bearer })
    await client.call('listOfferings', 'GET', `/explore?cursor=${first.meta['next_cursor']}`, { bearer })
    await client.call('getOffering', 'GET', `/offerings/${ids.offering_public}`, { bearer })
    await client.call('searchCompanies', 'GET', '/companies/search?q=br&limit=3', { bearer })
    await client.call('getCompany', 'GET', `/companies/${ids.company}`, { bearer })
    await readContent({ client, bearer, company: ids.company })
  }
  // Two of the libraries join the values of a list parameter with commas. The third library repeats the parameter.
  const bearer = app
  const joined = await client.call('listOfferings', 'GET', '/explore?industry=robotics,energy,fintech_and_finance', {
    bearer,
  })
  const repeated = await client.call(
    'listOfferings',
    'GET',
    '/explore?industry=robotics&industry=energy&industry=fintech_and_finance',
    { bearer },
  )
  const idsOf = ({ list }: typeof joined) => list.map(({ id }) => id).join()
  client.expect(idsOf(joined) === idsOf(repeated), 'listOfferings: the two spellings of a list parameter differ')
  const home = `/companies/${ids.company}/pitch`
  const short = await client.call('getCompanyPitch', 'GET', `${home}?sections=story,perks`, { bearer })
  const long = await client.call('getCompanyPitch', 'GET', `${home}?sections=story&sections=perks`, { bearer })
  client.expect(
    JSON.stringify(short.data) === JSON.stringify(long.data),
    'getCompanyPitch: the two spellings of a list parameter differ',
  )
  await client.call('listOfferings', 'GET', '/explore?sort=nonsense', { bearer, status: 400 })
}

async function readContent({
  client,
  bearer,
  company,
}: Pick<Stage, 'client'> & { readonly bearer: string; readonly company: string }): Promise<void> {
  const home = `/companies/${company}`
  await client.call('getCompanyPitch', 'GET', `${home}/pitch`, { bearer })
  await client.call('getCompanyDisclosures', 'GET', `${home}/disclosures`, { bearer })
  const listed = await client.call('listCompanyUpdates', 'GET', `${home}/updates?per_page=1`, { bearer })
  const next = `${home}/updates?per_page=1&cursor=${listed.meta['next_cursor']}`
  await client.call('listCompanyUpdates', 'GET', next, { bearer })
  await client.call('getCompanyUpdate', 'GET', `${home}/updates/${listed.list[0]?.id}`, { bearer })
  await client.call('listCompanyQuestions', 'GET', `${home}/questions?per_page=1`, { bearer })
  await client.call('listCompanyQuestions', 'GET', `${home}/questions?past_raises=true&q=how`, { bearer })
}

/** Reads and changes a person's own records, and reads the company's records as a founder. */
export async function useAccount({ client, tokens, ids, own }: Stage): Promise<void> {
  const { investor, founder, app } = tokens
  const refused = await client.call('getCurrentUser', 'GET', '/users/me', { bearer: app, status: 403 })
  client.expect(refused.error.type === 'insufficient_scope', `getCurrentUser without a user: ${refused.error.type}`)
  const bearer = investor
  await client.call('getCurrentUser', 'GET', '/users/me', { bearer })
  await client.call('updateCurrentUser', 'PATCH', '/users/me', { bearer, body: { bio: 'Reads every pitch.' } })
  await client.call('listMyCompanies', 'GET', '/users/me/companies', { bearer: founder })
  const path = `/users/me/follows/${ids.company}`
  await client.call('followCompany', 'PUT', path, { bearer })
  await client.call('listFollowedCompanies', 'GET', '/users/me/follows?per_page=1', { bearer })
  await client.call('unfollowCompany', 'DELETE', path, { bearer })
  await client.call('listActivity', 'GET', '/activity?per_page=2&limit=2', { bearer })
  await client.call('getPortfolio', 'GET', '/portfolio', { bearer })
  await client.call('listPortfolioPositions', 'GET', '/portfolio/positions?per_page=100', { bearer })
  await client.call('listPortfolioPositions', 'GET', '/portfolio/positions?per_page=1', { bearer })
  await client.call('listCampaigns', 'GET', '/campaigns?per_page=1', { bearer: founder })
  const home = `/companies/${own.company}`
  await client.call('listCompanyFundraises', 'GET', `${home}/fundraises`, { bearer: founder })
  await client.call('listCompanyInvestors', 'GET', `${home}/investors?per_page=100`, { bearer: founder })
  await client.call('listCompanyInvestors', 'GET', `${home}/investors`, { bearer: app, status: 403 })
}

/**
 * Lists investments, then syncs them by cursor, by time, and by a time without a zone. Run this after the sandbox has
 * changed records.
 */
export async function syncInvestments({ client, tokens, own, ago }: Stage): Promise<void> {
  const { founder, investor } = tokens
  const recent = `/investments?per_page=100&updated_since=${encodeURIComponent(await ago(DAY_MS / 24))}`
  const changed = async (path: string): Promise<Answer['list']> => {
    const { list, meta } = await client.call('listInvestments', 'GET', path, { bearer: founder })
    const next = `/investments?per_page=100&cursor=${meta['next_cursor']}`
    return meta['has_more'] === true ? [...list, ...(await changed(next))] : list
  }
  const kinds = async () => {
    const rows = await changed(recent)
    return [rows.some((row) => !('status' in row)), rows.some((row) => row['reason'] === 'investor_deactivated')]
  }
  await expect.poll(kinds, { message: 'a tombstone, and an investor who was deactivated' }).toEqual([true, true])
  for (const bearer of [founder, investor]) {
    const listed = await client.call('listInvestments', 'GET', '/investments?per_page=100', { bearer })
    await client.call('getInvestment', 'GET', `/investments/${listed.list[0]?.id}`, { bearer })
    // One library sends updated_since together with the cursor. The cursor takes precedence.
    const since = encodeURIComponent(await ago(80 * DAY_MS))
    const synced = await client.call('listInvestments', 'GET', `/investments?updated_since=${since}`, { bearer })
    const both = `/investments?updated_since=${since}&cursor=${synced.meta['next_cursor']}`
    await client.call('listInvestments', 'GET', both, { bearer })
    const naive = (await ago(3_600_000)).slice(0, 19)
    await client.call('listInvestments', 'GET', `/investments?updated_since=${naive}`, { bearer })
  }
  const bearer = founder
  const changes = `/companies/${own.company}/investments/changes`
  const all = await client.call('listCompanyInvestmentChanges', 'GET', changes, { bearer })
  const next = `${changes}?cursor=${all.meta['next_cursor']}`
  await client.call('listCompanyInvestmentChanges', 'GET', next, { bearer })
  const of = await client.call('listInvestments', 'GET', `/investments?company_id=${own.company}`, { bearer })
  await client.call('getOfferingStats', 'GET', `/offerings/${of.list[0]?.['offering']}/stats`, { bearer })
  await client.call('listInvestments', 'GET', '/investments?status=nonsense', { bearer, status: 400 })
  await client.call('listInvestments', 'GET', '/investments?cursor=nonsense', { bearer, status: 400 })
  const old = encodeURIComponent(await ago(95 * DAY_MS))
  const gone = await client.call('listInvestments', 'GET', `/investments?updated_since=${old}`, { bearer, status: 410 })
  client.expect(gone.error.type === 'gone', `listInvestments: ${gone.error.type} after the retention window`)
  const unknown = '/investments?company_id=co_ZZZZZZZZZZZZZZZZZZZZZZZZ'
  await client.call('listInvestments', 'GET', unknown, { bearer, status: 404 })
}
