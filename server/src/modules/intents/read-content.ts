import { fieldErrors } from '#http/input/field-errors.ts'
import { OLDER_RESOURCE_TYPES } from '#http/version-steps/activity.ts'
import { validationError } from '#kernel/errors.ts'
import { parseId } from '#kernel/ids.ts'
import { PARAM_VALIDATORS } from './actions/params.ts'
import { ACTIONS } from './actions/table.ts'
import type { ActionName, Content } from './intent.ts'

export type SentContent = {
  readonly action_name: ActionName
  readonly resource_type: string
  readonly resource_id: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** What was sent, as far as it is right in itself. "`syn_…` for Club": the older words are understood in every version. */
export function readContent(sent: SentContent): Content {
  const { resourceType } = ACTIONS[sent.action_name]
  const validator = PARAM_VALIDATORS[sent.action_name]
  if (sent.resource_type !== resourceType && sent.resource_type !== OLDER_RESOURCE_TYPES[resourceType]) {
    throw refuse('resource_type', 'wrong_type', `must be ${resourceType} for ${sent.action_name}`)
  }
  const resourceId = parseId(resourceType, sent.resource_id)
  if (resourceId === null) throw refuse('resource_id', 'invalid_format', `must be the id of a ${resourceType}`)
  const params = sent.params ?? {}
  if (!validator.Check(params)) throw paramsRefused(validator.Errors(params))
  return { action: sent.action_name, resourceType, resourceId, params }
}

function paramsRefused(issues: Parameters<typeof fieldErrors>[0]) {
  const errors = fieldErrors(issues, 'params')
  return validationError(
    errors.map((error) => ({ ...error, field: error.field === 'params' ? 'params' : `params.${error.field}` })),
  )
}

function refuse(field: string, code: string, message: string) {
  return validationError([{ field, code, message }])
}
