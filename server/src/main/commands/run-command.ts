import { parseArgs } from 'node:util'
import { ApiError } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { ConfigError } from '../config.ts'
import { explainFailure } from '../explain-failure.ts'

const EXIT_BAD_USAGE = 2
const EXIT_FAILED = 1

/** Runs a command to its end. What it answers goes to stdout, what it says to the person who typed it to stderr. */
export async function runCommand(command: (argv: readonly string[]) => Promise<number>): Promise<never> {
  try {
    process.exit(await command(process.argv.slice(2)))
  } catch (error) {
    say(error instanceof ApiError ? explainRefusal(error) : explainFailure(error))
    process.exit(error instanceof ConfigError ? EXIT_BAD_USAGE : EXIT_FAILED)
  }
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

type Options = Parameters<typeof parseArgs>[0] & object

/** A command line that cannot be read ends like a bad setting: exit code 2, and how it is meant. */
export function readCommandLine<const O extends NonNullable<Options['options']>>(
  argv: readonly string[],
  options: O,
  usage: string,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

export function readWorld(text: string | undefined, usage: string): World {
  const world = WORLDS.find((name) => name === text)
  if (world === undefined) throw new ConfigError(`--world must be one of ${WORLDS.join(', ')}.\n\n${usage}`)
  return world
}

function explainRefusal({ public: text, details }: ApiError): string {
  const fields: unknown = details?.['fields']
  if (!Array.isArray(fields)) return text
  return fields.map(({ field, message }) => `${field} ${message}.`).join('\n')
}
