import { homedir } from 'node:os'
import { join } from 'node:path'

/** The environment variables of the command line. No other code reads the environment. */
export type Environment = {
  readonly baseUrl: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly operatorKey: string | undefined
  readonly profile: string | undefined
  readonly noColor: boolean
  readonly columns: number | undefined
  /** Where profiles are stored. */
  readonly configDirectory: string
  readonly shell: string
  readonly browser: string | undefined
}

export function readEnvironment(): Environment {
  const valueOf = (name: string) => process.env[name] || undefined
  const columns = Number(valueOf('COLUMNS'))
  return {
    baseUrl: valueOf('PORTICO_BASE_URL'),
    clientId: valueOf('PORTICO_CLIENT_ID'),
    clientSecret: valueOf('PORTICO_CLIENT_SECRET'),
    operatorKey: valueOf('PORTICO_OPERATOR_KEY'),
    profile: valueOf('PORTICO_PROFILE'),
    // https://no-color.org: any value except the empty text turns colors off.
    noColor: valueOf('NO_COLOR') !== undefined || valueOf('TERM') === 'dumb',
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    configDirectory:
      valueOf('PORTICO_CONFIG') ?? join(valueOf('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'portico'),
    shell: valueOf('SHELL') ?? '',
    browser: valueOf('BROWSER'),
  }
}
