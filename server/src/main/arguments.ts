import { parseArgs } from 'node:util'
import { ConfigError } from './config.ts'

export const ROLES = ['api', 'worker', 'all'] as const
export type Role = (typeof ROLES)[number]
export type Arguments = { readonly role: Role; readonly reset: boolean }

export function parseArguments(argv: readonly string[]): Arguments {
  const { role, reset } = readOptions(argv)
  const known = ROLES.find((name) => name === role)
  if (known === undefined)
    throw new ConfigError(`--role ${role} is not acceptable: it must be one of ${ROLES.join(', ')}.`)
  return { role: known, reset }
}

function readOptions(argv: readonly string[]): { role: string; reset: boolean } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { role: { type: 'string', default: 'all' }, reset: { type: 'boolean', default: false } },
    })
    return values
  } catch (error) {
    throw new ConfigError(
      `${error instanceof Error ? error.message : error}. Known: --role ${ROLES.join('|')}, --reset.`,
    )
  }
}
