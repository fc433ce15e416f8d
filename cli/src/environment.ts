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
  const given = (name: string) => process.env[name] || undefined
  const columns = Number(given('COLUMNS'))
  return {
    baseUrl: given('PORTICO_BASE_URL'),
    clientId: given('PORTICO_CLIENT_ID'),
    clientSecret: given('PORTICO_CLIENT_SECRET'),
    operatorKey: given('PORTICO_OPERATOR_KEY'),
    profile: given('PORTICO_PROFILE'),
    // https://no-color.org: any value except the empty one.
    noColor: given('NO_COLOR') !== undefined || given('TERM') === 'dumb',
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    configDirectory: given('PORTICO_CONFIG') ?? join(given('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'portico'),
    shell: given('SHELL') ?? '',
    browser: given('BROWSER'),
  }
}
