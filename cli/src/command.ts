import type { Connection } from './connection/connection.ts'
import type { Environment } from './environment.ts'
import type { ExitCode } from './failure.ts'
import type { Printer } from './printer.ts'

/** An option of a command. `value` is the name of its value in the help; an option without one is a switch. */
export type Option = {
  readonly value?: string
  readonly multiple?: boolean
  readonly short?: string
  readonly about: string
}
export type Options = Readonly<Record<string, Option>>

type Given<O extends Option> = O extends { readonly value: string }
  ? O extends { readonly multiple: true }
    ? readonly string[]
    : string | undefined
  : boolean

export type Values<O extends Options> = { readonly [Name in keyof O]: Given<O[Name]> }

/** The options of every command besides its own. */
export const COMMON_OPTIONS = {
  json: { about: 'print JSON, as docs/command-line.md describes it' },
  profile: { value: 'NAME', about: 'use this profile of portico login' },
  demo: { about: 'use the demo of this folder (.portico/demo.json), even when logged in' },
  app: { value: 'APP', about: 'the app, by its id or name; needed where there are several' },
  mode: { value: 'test|live', about: 'the world to act in (default: test)' },
  'base-url': { value: 'URL', about: 'where the service is' },
  'no-color': { about: 'no colours, as with the environment variable NO_COLOR' },
  debug: { about: 'print a stack trace when the command fails' },
  help: { short: 'h', about: 'print this' },
} as const satisfies Options

export type CommonValues = Values<typeof COMMON_OPTIONS>

export type Context<O extends Options = Options> = {
  readonly values: Values<O> & CommonValues
  /** The words after the command's name. */
  readonly words: readonly string[]
  readonly printer: Printer
  readonly environment: Environment
  readonly directory: string
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal
  /** The service and the credentials, and a line that says where they come from. */
  connect(): Promise<Connection>
}

export type Command<O extends Options = Options> = {
  /** `events list` */
  readonly name: string
  /** What the command does, in one line of the list of commands. */
  readonly summary: string
  /** The arguments after the name, such as `EVENT [--count N]`. */
  readonly usage: string
  readonly about?: string
  readonly options: O
  readonly examples: readonly string[]
  /** How many words may follow the name; none if left out. */
  readonly words?: { readonly min: number; readonly max: number }
  /** Words that completion offers after the name. */
  readonly offers?: readonly string[]
  /**
   * What Ctrl-C does. A command that `finishes` watches `signal` and stores its place before it ends. One that `succeeds` has
   * no end of its own, so it ends at once with exit code 0. Any other command ends at once as interrupted.
   */
  readonly onStop?: 'finishes' | 'succeeds'
  readonly run: (context: Context<O>) => Promise<ExitCode | undefined>
}

/** Hides the types of a command's own options: the table contains commands with any options. */
export function command<const O extends Options>(made: Command<O>): Command {
  return made as unknown as Command
}
