import { inData } from '#http/older-shapes.ts'
import { type Fields, isFields, type VersionStep } from '#http/version-steps.ts'

const RECORDS = [
  'listInstallations',
  'createInstallation',
  'getInstallation',
  'revokeInstallation',
  'createInstallationToken',
]

/**
 * Installation records are flat now. Before they were `{id, type, attributes}`, with a place for the name of who
 * installed, which we never tell, and none for who revoked.
 */
export const INSTALLATION_STEPS: readonly VersionStep[] = [
  {
    name: 'flat installation records',
    before: '2026-11-01',
    operations: RECORDS,
    response: (body) => inData(body, nested),
  },
  {
    name: 'flat installation records of eligible targets',
    before: '2026-11-01',
    operations: ['listEligibleInstallTargets'],
    response: (body) =>
      inData(body, ({ installation, ...target }) => {
        return { ...target, installation: isFields(installation) ? nested(installation) : installation }
      }),
  },
  {
    name: 'one tier on syndicates',
    before: '2026-11-01',
    operations: ['createInstallation'],
    request: (body) => (body['target_type'] === 'syndicate' && isPermission(body['tier']) ? withoutTier(body) : body),
  },
]

function nested({ id, revoked_by: _revoker, revoked_at = null, ...attributes }: Fields): Fields {
  return { id, type: 'installation', attributes: { ...attributes, installed_by: null, revoked_at } }
}

/** A syndicate's installation had the permission of the manager who made it; it is always of manager tier. */
function isPermission(tier: unknown): boolean {
  return tier === 'full_access' || tier === 'operator'
}

function withoutTier({ tier: _tier, ...rest }: Fields): Fields {
  return rest
}
