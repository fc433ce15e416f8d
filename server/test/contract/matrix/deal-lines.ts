import { INSTALLATIONS, type Lines, NOT_FOUND } from './line.ts'

/**
 * "read:syndicates: syndicates the user manages: members, deals, statistics, portfolio." The syndicate on the stage is
 * not published, so an app on a company gets 404. A manager's own connection may see the syndicate, but has no manager
 * rights and gets 403.
 */
const ofSyndicate = {
  serves: ['user', ...INSTALLATIONS],
  needs: ['read:syndicates'],
  at: { syndicate_id: 'syndicate' },
  answers: '200',
  except: { company: NOT_FOUND, connection: '403 forbidden' },
} as const

/** The deal or the member has an unknown id, so an admitted caller gets 404. */
const within = { ...ofSyndicate, answers: NOT_FOUND } as const

/**
 * "For a company the user helps run": only the company's own team and apps see these records. Every caller may see that
 * the company exists.
 */
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
