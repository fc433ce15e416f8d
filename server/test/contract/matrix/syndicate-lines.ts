import { INSTALLATIONS, type Lines, NOT_FOUND } from './line.ts'
import type { Needed } from './scope-catalogue.ts'

/**
 * "Syndicates the user manages": user tokens of managers and installation tokens of that syndicate alone. The syndicate
 * on the stage is not published, so an app on a company gets 404. A manager's own connection may see the syndicate, but
 * acts only for that user and has no manager rights.
 */
const managed = (...needs: Needed[]) =>
  ({
    serves: ['user', ...INSTALLATIONS],
    needs,
    answers: '200',
    at: { syndicate_id: 'syndicate' },
    except: { company: NOT_FOUND, connection: '403 forbidden' },
  }) as const

const READ = managed('read:syndicates')
const WRITE = managed('write:syndicates')
const ofMember = { at: { syndicate_id: 'syndicate', member_id: 'member' } } as const
/** The member has an unknown id, so an admitted caller gets 404, and the records of the stage do not change. */
const ofNobody = { ...WRITE, answers: NOT_FOUND }

const MEMBERS = '/syndicates/:syndicate_id/members'

export const SYNDICATE_LINES: Lines = {
  'GET /syndicates': { serves: ['user', 'syndicate'], needs: ['read:syndicates'], answers: '200' },
  'GET /syndicates/:syndicate_id': READ,
  'PATCH /syndicates/:syndicate_id': { ...WRITE, body: { syndicate: {} } },
  [`GET ${MEMBERS}`]: READ,
  // This is the email address of a member. Members cannot be invited.
  [`POST ${MEMBERS}/invite`]: { ...WRITE, body: { email: 'member@example.org' }, answers: '422 validation_error' },
  [`POST ${MEMBERS}/reorder`]: { ...ofNobody, body: { member_ids: ['mem_000000000000000000000000'] } },
  [`POST ${MEMBERS}/export_csv`]: READ,
  [`PATCH ${MEMBERS}/:member_id`]: { ...WRITE, ...ofMember, body: { member: {} } },
  // "Always 422 … Never deletes."
  [`DELETE ${MEMBERS}/:member_id`]: { ...WRITE, ...ofMember, answers: '422 use_intents' },
  [`POST ${MEMBERS}/:member_id/approve`]: ofNobody,
  [`POST ${MEMBERS}/:member_id/decline`]: ofNobody,
  [`POST ${MEMBERS}/:member_id/hide`]: { ...WRITE, ...ofMember },
  [`POST ${MEMBERS}/:member_id/restore`]: { ...WRITE, ...ofMember },
  // "Creator only": neither this manager nor an app is the creator.
  [`POST ${MEMBERS}/:member_id/promote`]: { ...WRITE, ...ofMember, answers: '403 forbidden' },
  // "Full_access → operator": this member has neither role, and an app is not a manager with full access.
  [`POST ${MEMBERS}/:member_id/demote`]: {
    ...WRITE,
    ...ofMember,
    answers: '409 illegal_transition',
    except: { ...WRITE.except, syndicate: '403 forbidden' },
  },
  [`POST ${MEMBERS}/:member_id/resend_invite`]: ofNobody,
  [`POST ${MEMBERS}/:member_id/withdraw_invite`]: ofNobody,
}
