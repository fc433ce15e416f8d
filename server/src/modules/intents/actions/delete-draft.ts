import { notFound } from '#kernel/errors.ts'
import { revokeInstallation } from '#modules/installations/index.ts'
import { deleteDraft as deleteSyndicate } from '#modules/syndicates/index.ts'
import { expireOfSyndicate } from '../expire.ts'
import { notPossible } from '../refusals.ts'
import { action } from './action.ts'
import { findSyndicate, holdInstalled, holdSyndicate, type SyndicateSeen } from './syndicate-store.ts'
import { versionOf } from './syndicate-version.ts'
import { counted } from './words.ts'

/** Nobody else’s commitment goes with a draft: it has no deal, and nobody but those who run it. */
export const deleteDraft = action({
  name: 'syndicates.delete_draft',
  scope: 'write:syndicates',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId }) => {
    const syndicate = await findSyndicate(queries, resourceId)
    if (syndicate === null) throw notFound(`${resourceId} is gone`)
    refuseMoreThanADraft(syndicate)
    const shown = {
      question: `Delete the draft ${syndicate.name}`,
      summary: `The draft ${syndicate.name} is deleted, for everybody who runs it, and apps are removed from it.`,
      facts: [
        ['Syndicate', syndicate.name],
        ['Run by', counted(syndicate.managers, 'person').replace('persons', 'people')],
        ['Apps on it', String(syndicate.installed)],
      ] as const,
      final: 'A deleted draft cannot be brought back.',
      version: versionOf(syndicate),
    }
    return { shown }
  },
  hold: async (tx, { resourceId }) => {
    // Installations before what belongs to the syndicate: the order in which whoever revokes one locks.
    await holdInstalled(tx, resourceId)
    await holdSyndicate(tx, resourceId)
  },
  perform: async (tx, { resourceId }, { occasion, around }) => {
    for (const id of await holdInstalled(tx, resourceId)) {
      await revokeInstallation(tx, { id, role: 'manager' }, { ...occasion, onRevoked: around.onRevoked })
    }
    await expireOfSyndicate(tx, resourceId)
    await deleteSyndicate(tx, { id: resourceId }, occasion)
    return { syndicate: resourceId, deleted: true }
  },
})

function refuseMoreThanADraft({ published, launched, deals, outsiders }: SyndicateSeen): void {
  const field = 'resource_id'
  if (published || launched) {
    throw notPossible({ field, code: 'not_a_draft', message: 'The syndicate is published, and no draft any more.' })
  }
  if (deals > 0)
    throw notPossible({ field, code: 'has_deals', message: 'The syndicate runs deals, which would be lost.' })
  if (outsiders === 0) return
  const message = 'People other than its managers belong to the syndicate, or have applied.'
  throw notPossible({ field, code: 'has_members', message })
}
