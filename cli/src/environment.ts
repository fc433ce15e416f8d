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
  const readVariable = (name: string) => process.env[name] || undefined
  const columns = Number(readVariable('COLUMNS'))
  return {
    baseUrl: readVariable('PORTICO_BASE_URL'),
    clientId: readVariable('PORTICO_CLIENT_ID'),
    clientSecret: readVariable('PORTICO_CLIENT_SECRET'),
    operatorKey: readVariable('PORTICO_OPERATOR_KEY'),
    profile: readVariable('PORTICO_PROFILE'),
    // https://no-color.org: any value except the empty text turns colors off.
    noColor: readVariable('NO_COLOR') !== undefined || readVariable('TERM') === 'dumb',
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    configDirectory:
      readVariable('PORTICO_CONFIG') ?? join(readVariable('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'portico'),
    shell: readVariable('SHELL') ?? '',
    browser: readVariable('BROWSER'),
  }
}
