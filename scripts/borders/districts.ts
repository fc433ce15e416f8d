/**
 * The order of the product's modules: a module imports only modules listed before it. A district is a folder of `server/src`,
 * and a module is a folder in a district. If a district lists its own name, that name is one more module: it has the
 * files of the district that are in no folder of another module.
 */
const DISTRICTS: Readonly<Record<string, readonly string[]>> = {
  mail: ['mail'],
  events: ['changes', 'events'],
  access: [
    ...['scopes', 'audit', 'people', 'accounts', 'organizations', 'operator'],
    ...['apps', 'conditions', 'removed', 'tokens', 'installations', 'oauth', 'limits', 'requests'],
  ],
  market: ['companies', 'offerings', 'investments', 'syndicates'],
  ledger: ['ledger'],
  referrals: ['referrals'],
  views: ['catalog', 'content', 'deals', 'activity', 'campaigns', 'profile', 'portfolio', 'roster'],
  hosted: ['sessions', 'invites', 'intents', 'settings'],
  webhooks: ['webhooks'],
  notices: ['notices'],
  intake: ['refused', 'facts', 'sandbox'],
  front: ['front'],
}

export const DISTRICT_NAMES: readonly string[] = Object.keys(DISTRICTS)
export const MODULE_ORDER: readonly string[] = Object.values(DISTRICTS).flat()

/** The module of a path in `server/src`, even if the module is not listed. Undefined outside of the districts. */
export function moduleOf(path: string): string | undefined {
  const [, district = '', folder] = /^server\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? []
  const modules = DISTRICTS[district]
  if (modules === undefined) return undefined
  if (folder !== undefined && modules.includes(folder)) return folder
  return modules.includes(district) ? district : (folder ?? district)
}

/** The folder of a module, from the project's root. */
export function folderOf(module: string): string {
  const district = DISTRICT_NAMES.find((name) => DISTRICTS[name]?.includes(module)) ?? module
  return district === module ? `server/src/${module}` : `server/src/${district}/${module}`
}
