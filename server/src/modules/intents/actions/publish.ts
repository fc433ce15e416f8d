import { notFound } from '#kernel/errors.ts'
import { updateSyndicate } from '#modules/syndicates/index.ts'
import { notPossible } from '../refusals.ts'
import { action } from './action.ts'
import { findSyndicate, holdSyndicate } from './syndicate-store.ts'
import { versionOf } from './syndicate-version.ts'

export const publish = action({
  name: 'syndicates.publish',
  scope: 'write:syndicates',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId }) => {
    const syndicate = await findSyndicate(queries, resourceId)
    if (syndicate === null) throw notFound(`${resourceId} is gone`)
    if (syndicate.published) {
      const message = 'The syndicate is published already.'
      throw notPossible({ field: 'resource_id', code: 'already_published', message })
    }
    const shown = {
      question: `Publish ${syndicate.name}`,
      summary: `Everybody can see ${syndicate.name}: its name, what it says of itself and that it exists.`,
      facts: [
        ['Syndicate', syndicate.name],
        ['Members', String(syndicate.members)],
        ['Deals', String(syndicate.deals)],
      ] as const,
      final: 'Who has seen it has seen it: it does not become a draft again.',
      version: versionOf(syndicate),
    }
    return { shown }
  },
  hold: (tx, { resourceId }) => holdSyndicate(tx, resourceId),
  perform: async (tx, { resourceId }, { occasion }) => {
    await updateSyndicate(tx, { id: resourceId, changes: { published: true } }, occasion)
    return { syndicate: resourceId, published: true }
  },
})
