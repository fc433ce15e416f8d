import { describe, expect, test } from 'vitest'
import { HelpWanted, readCommandLine, rejectPositionals, UsageError } from './command-line.ts'

const HELP = `Usage: npm run greet -- NAME [--loud]

Greets a person by name.

Examples:

  npm run greet -- Ada
`
const OPTIONS = { loud: { type: 'boolean', default: false } } as const
const read = (...argv: string[]) => readCommandLine(argv, OPTIONS, HELP)

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

describe('a command line', () => {
  test('is parsed into options and positional arguments', () => {
    const { values, positionals } = read('Ada', '--loud')
    expect([values.loud, positionals]).toEqual([true, ['Ada']])
  })

  test.each([[['--help']], [['-h']], [['Ada', '--help', '--bogus']]])('%j gives the full help', (argv) => {
    const error = thrownBy(() => read(...argv))
    expect(error).toBeInstanceOf(HelpWanted)
    expect((error as Error).message).toBe(HELP)
  })

  test('arguments after -- are not options', () => {
    expect(read('--', '--help').positionals).toEqual(['--help'])
  })

  test.each([
    [['--bogus'], "Unknown option '--bogus'."],
    [['--loud=yes'], "Option '--loud' does not take an argument."],
  ])('%j gives an error with the usage', (argv, problem) => {
    const error = thrownBy(() => read(...argv))
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toBe(
      `${problem}\n\nUsage: npm run greet -- NAME [--loud]\n\nAdd --help for what it does and for examples.`,
    )
  })

  test('with an unexpected argument gives an error that names it', () => {
    expect(() => rejectPositionals(['Ada'], HELP)).toThrow('Unknown argument "Ada".')
    expect(() => rejectPositionals([], HELP)).not.toThrow()
  })
})
