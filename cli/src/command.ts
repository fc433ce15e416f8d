import type { Connection } from './connection/connection.ts'
import type { Environment } from './environment.ts'
import type { ExitCode } from './failure.ts'
import type { Printer } from './printer.ts'

/** An option of a command. `value` is the name of its value in the help. An option without `value` is a switch. */
export type Option = {
  readonly value?: string
  readonly multiple?: boolean
  readonly short?: string
  readonly about: string
}
export type Options = Readonly<Record<string, Option>>

type ValueOf<O extends Option> = O extends { readonly value: string }
  ? O extends { readonly multiple: true }
    ? readonly string[]
    : string | undefined
  : boolean

export type Values<O extends Options> = { readonly [Name in keyof O]: ValueOf<O[Name]> }

/** The options that every command has, in addition to its own. */
export const COMMON_OPTIONS = {
  json: { about: 'print JSON, as docs/command-line.md describes it' },
  profile: { value: 'NAME', about: 'use this profile of portico login' },
  demo: { about: 'use the demo of this folder (.portico/demo.json), even when logged in' },
  app: { value: 'APP', about: 'the id or name of the app: for the demo (default: its first app) and portico login' },
  mode: { value: 'test|live', about: 'the world to act in (default: test)' },
  'base-url': { value: 'URL', about: 'the address of the service' },
  'no-color': { about: 'no colours, as with the environment variable NO_COLOR' },
  debug: { about: 'print a stack trace when the command fails' },
  help: { short: 'h', about: 'print this help' },
} as const satisfies Options

export type CommonValues = Values<typeof COMMON_OPTIONS>

export type Context<O extends Options = Options> = {
  readonly values: Values<O> & CommonValues
  /** The words after the command's name. */
  readonly words: readonly string[]
  readonly printer: Printer
  readonly environment: Environment
  readonly directory: string
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal
  /** Finds the service and the credentials. Prints where the credentials come from, unless they come from a profile. */
  connect(): Promise<Connection>
}

export type Command<O extends Options = Options> = {
  /** The words that call the command, such as `events list`. */
  readonly name: string
  /** What the command does, in one line of the list of commands. */
  readonly summary: string
  /** The arguments after the name, such as `EVENT [--count N]`. */
  readonly usage: string
  readonly about?: string
  readonly options: O
  readonly examples: readonly string[]
  /** How many words may follow the name. Default: none. */
  readonly words?: { readonly min: number; readonly max: number }
  /** Words that completion offers after the name. */
  readonly offers?: readonly string[]
  /**
   * What Ctrl-C does. With `finishes`, the command watches `signal` and ends by itself, so that it can store its
   * progress first. With `succeeds`, the command ends at once with exit code 0, because Ctrl-C is the usual way to end
   * it. By default, the command ends at once with exit code 130.
   */
  readonly onStop?: 'finishes' | 'succeeds'
  readonly run: (context: Context<O>) => Promise<ExitCode | undefined>
}

/** Hides the types of a command's own options: the table contains commands with any options. */
export function command<const O extends Options>(definition: Command<O>): Command {
  return definition as unknown as Command
}
