import { INSTALLATIONS, type Lines, NOT_FOUND } from './line.ts'

/**
 * "read:syndicates: syndicates the user manages: members, deals, statistics, portfolio." The one on the stage is not
 * published: to a company's app it is not there; a manager's own connection knows that it is, and runs nothing.
 */
const ofSyndicate = {
  serves: ['user', ...INSTALLATIONS],
  needs: ['read:syndicates'],
  at: { syndicate_id: 'syndicate' },
  answers: '200',
  except: { company: NOT_FOUND, connection: '403 forbidden' },
} as const

/** The syndicate on the stage has no deal and no member: an admitted caller finds none. */
const within = { ...ofSyndicate, answers: NOT_FOUND } as const

/** "For a company the user helps run": what the company's side alone is shown, of a company that everybody may know of. */
const ofCompany = {
  serves: ['user', 'company', 'connection'],
  needs: ['read:companies'],
  at: { company_id: 'company' },
  answers: '200',
  except: { connection: '403 forbidden' },
} as const

export const DEAL_LINES: Lines = {
  'GET /syndicates/:syndicate_id/deals': ofSyndicate,
  'GET /syndicates/:syndicate_id/deals/:fundraise_id': within,
  'GET /syndicates/:syndicate_id/deals/:fundraise_id/investors': within,
  'GET /syndicates/:syndicate_id/members/:member_id/investments': within,
  'GET /syndicates/:syndicate_id/statistics': ofSyndicate,
  'GET /syndicates/:syndicate_id/portfolio': ofSyndicate,
  'GET /syndicates/:syndicate_id/portfolio/positions': ofSyndicate,
  'GET /companies/:company_id/investors': ofCompany,
  'GET /companies/:company_id/fundraises': ofCompany,
}
