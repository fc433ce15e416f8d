import { type TProperties, Type } from 'typebox'
import { PROGRAM_NAMES, type ProgramName } from '#access/apps/index.ts'
import { type Id, idPattern } from '#kernel/ids.ts'

const exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

const AppId = Type.Unsafe<Id<'app'>>(Type.String({ pattern: idPattern('app') }))

export const AppParam = exactly({ app_id: AppId })

export const ProgramParam = exactly({
  app_id: AppId,
  program: Type.Unsafe<ProgramName>(Type.Enum([...PROGRAM_NAMES], { type: 'string' })),
})

/** Any strings: one error lists all unknown and unusable names. */
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
})

export const ScopeChange = exactly({ scopes: Names }, 'ScopeChange')

const Declared = Type.Array(Type.String(), { description: 'What the app declares now.' })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Addition = exactly(
  {
    data: exactly({
      id: AppId,
      type: Type.Literal('scope_addition'),
      attributes: exactly({
        scopes: Declared,
        added: Type.Array(Type.String(), { description: 'What it did not declare before.' }),
      }),
    }),
  },
  'ScopeAddition',
)

export const Removal = exactly(
  {
    data: exactly({
      id: AppId,
      type: Type.Literal('scope_removal'),
      attributes: exactly({
        scopes: Declared,
        removed: Type.Array(Type.String()),
        installs_narrowed: Count('Installations that lost a scope and go on.'),
        installs_disconnected: Count('Installations that were left with none and are revoked.'),
        tokens_revoked: Count('Access tokens that were in force until now.'),
        refresh_tokens_revoked: Count('Refresh tokens that were in force until now.'),
      }),
    }),
  },
  'ScopeRemoval',
)
