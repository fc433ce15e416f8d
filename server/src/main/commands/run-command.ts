import { ApiError } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { EXIT_BAD_USAGE, type Help, HelpWanted, UsageError } from '../command-line.ts'
import { ConfigError } from '../config.ts'
import { explainFailure } from '../explain-failure.ts'

const EXIT_FAILED = 1

/** Runs a command to its end. What it answers goes to stdout, what it says to the person who typed it to stderr. */
export async function runCommand(command: (argv: readonly string[]) => Promise<number>): Promise<never> {
  try {
    process.exit(await command(process.argv.slice(2)))
  } catch (error) {
    if (error instanceof HelpWanted) {
      process.stdout.write(error.message)
      process.exit(0)
    }
    say(error instanceof ApiError ? explainRefusal(error) : explainFailure(error))
    process.exit(error instanceof ConfigError || error instanceof UsageError ? EXIT_BAD_USAGE : EXIT_FAILED)
  }
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

export function readWorld(text: string | undefined, help: Help): World {
  const world = WORLDS.find((name) => name === text)
  if (world === undefined) throw new UsageError(`--world must be one of ${WORLDS.join(', ')}.`, help)
  return world
}

function explainRefusal({ public: text, details }: ApiError): string {
  const fields: unknown = details?.['fields']
  if (!Array.isArray(fields)) return text
  return fields.map(({ field, message }) => `${field} ${message}.`).join('\n')
}
