import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Command, Options } from './command.ts'
import { COMMON_OPTIONS } from './command.ts'
import { usageFailure } from './failure.ts'

export type ReadArguments = {
  readonly command: Command | null
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly words: readonly string[]
}

/**
 * Reads the command line by the table of commands. Options may come before the command's name, so the first pass parses
 * with the options of all commands to find the name.
 */
export function readArguments(argv: readonly string[], commands: readonly Command[]): ReadArguments {
  const all = Object.assign({}, COMMON_OPTIONS, ...commands.map(({ options }) => options)) as Options
  const { positionals } = tokensOf(argv, all)
  const command = commandOf(positionals, commands)
  if (command === null) {
    const { values } = parseStrictly(argv, COMMON_OPTIONS, null)
    if (positionals.length > 0 && values['help'] !== true) throw unknownCommand(positionals, commands)
    return { command: null, values, words: positionals }
  }
  const { values, positionals: remaining } = parseStrictly(argv, { ...COMMON_OPTIONS, ...command.options }, command)
  const words = remaining.slice(command.name.split(' ').length)
  if (values['help'] !== true) checkWords(command, words)
  return { command, values, words }
}

function commandOf(positionals: readonly string[], commands: readonly Command[]): Command | null {
  for (const length of [2, 1]) {
    const name = positionals.slice(0, length).join(' ')
    const found = commands.find((one) => one.name === name)
    if (found !== undefined) return found
  }
  return null
}

function tokensOf(argv: readonly string[], options: Options) {
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false, short }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const)
      return [name, { type, multiple, ...(short === undefined ? {} : { short }) }]
    }),
  )
  return parseArgs({ args: [...argv], options: config, allowPositionals: true, strict: false, tokens: true })
}

function parseStrictly(argv: readonly string[], options: Options, command: Command | null) {
  const { tokens, values, positionals } = tokensOf(argv, options)
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (option === undefined) throw unknownOption(token.rawName, options, command)
    if (option.value === undefined && token.value !== undefined) {
      throw usageFailure(`${token.rawName} takes no value.`, helpHint(command))
    }
    const looksLikeOption = token.inlineValue !== true && token.value?.startsWith('-') === true && token.value !== '-'
    if (option.value !== undefined && (token.value === undefined || looksLikeOption)) {
      throw usageFailure(`${token.rawName} needs a value: ${token.rawName} ${option.value}.`, helpHint(command))
    }
  }
  const multiple = Object.entries(options).filter(
    ([name, one]) => one.multiple === true && !Object.hasOwn(values, name),
  )
  return { values: { ...values, ...Object.fromEntries(multiple.map(([name]) => [name, []])) }, positionals } as {
    values: ReadArguments['values']
    positionals: string[]
  }
}

function checkWords(
  { name, words: { min, max } = { min: 0, max: 0 }, usage }: Command,
  words: readonly string[],
): void {
  const remedy = `Usage: portico ${name} ${usage}`.trim()
  if (words.length < min) {
    const missing = usage.split(' ').filter((word) => /^[A-Z]/.test(word))[words.length] ?? 'another word'
    throw usageFailure(`portico ${name} needs ${missing}.`, remedy)
  }
  const [extra] = words.slice(max)
  if (extra !== undefined) throw usageFailure(`portico ${name} does not take the word "${extra}".`, remedy)
}

function unknownOption(raw: string, options: Options, command: Command | null) {
  const near = nearest(
    raw,
    Object.keys(options).map((name) => `--${name}`),
  )
  const hint = near === null ? helpHint(command) : `Did you mean ${near}?`
  return usageFailure(`There is no option ${raw}${command === null ? '' : ` of portico ${command.name}`}.`, hint)
}

function unknownCommand(positionals: readonly string[], commands: readonly Command[]) {
  const typed = positionals.slice(0, 2).join(' ')
  const groupNames = commands.filter(({ name }) => name.startsWith(`${positionals[0]} `)).map(({ name }) => name)
  if (groupNames.length > 0 && positionals.length === 1) {
    return usageFailure(`portico ${typed} needs another word.`, `It is one of: ${groupNames.join(', ')}.`)
  }
  const names = commands.map(({ name }) => name)
  const near = nearest(typed, names) ?? nearest(positionals[0] ?? '', names)
  const hint = near === null ? 'portico --help lists the commands.' : `Did you mean "portico ${near}"?`
  return usageFailure(`There is no command "${typed}".`, hint)
}

function helpHint(command: Command | null): string {
  return `portico ${command === null ? '' : `${command.name} `}--help lists the options.`
}

/**
 * Returns the candidate that is nearest to the typed word, or null if the typed word is neither a misspelling nor the
 * beginning of a candidate.
 */
export function nearest(typed: string, candidates: readonly string[]): string | null {
  const maxDistance = Math.max(2, Math.floor(typed.length / 3))
  const [best] = candidates
    .map((candidate) => ({ candidate, typos: distance(typed, candidate) }))
    .filter(({ typos, candidate }) => typos <= maxDistance || (typed.length > 3 && candidate.startsWith(typed)))
    .toSorted((a, b) => a.typos - b.typos)
  return best?.candidate ?? null
}

/** The Damerau-Levenshtein distance: how many letters to insert, delete, replace or swap with the next letter. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      rows[i]?.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (same ? 0 : 1),
          swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
