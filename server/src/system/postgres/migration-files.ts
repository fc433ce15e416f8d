import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A migration is one file, `0007_companies.sql`, whose first line names its schema: `-- schema: platform` (runs once) or
 * `-- schema: worlds` (runs for both worlds, in one transaction). `-- no transaction` on the second line is for concurrent
 * indexes: such a file runs statement by statement and must be safe to run again.
 */
export type Migration = {
  readonly number: number
  readonly name: string
  readonly schemas: readonly ('platform' | 'test' | 'live')[]
  readonly transactional: boolean
  readonly text: string
  /** The checksum of the statements, so that a comment can be improved after the migration was applied. */
  readonly checksum: string
  /**
   * The checksum of the whole file, which databases recorded while comments still counted. Undefined for later
   * migrations.
   */
  readonly formerChecksum?: string
}

/** A JSON object that maps the checksum of a migration's statements to the migration's former checksum. */
const FORMER_CHECKSUMS = 'former-checksums.json'
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
const DIRECTIVE = /^-- (schema: |no transaction$)/
const SCHEMA_LINE = /^-- schema: (platform|worlds)$/

export async function readMigrations(directory: string): Promise<Migration[]> {
  const all = await readdir(directory)
  const former: Readonly<Record<string, string>> = all.includes(FORMER_CHECKSUMS)
    ? JSON.parse(await readFile(join(directory, FORMER_CHECKSUMS), 'utf8'))
    : {}
  const files = all.filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    files.map(async (file): Promise<Migration> => {
      const migration = parseMigration(file, await readFile(join(directory, file), 'utf8'))
      const formerChecksum = former[migration.checksum]
      return formerChecksum === undefined ? migration : { ...migration, formerChecksum }
    }),
  )
  for (const [index, { number, name }] of migrations.entries()) {
    if (number !== index + 1)
      throw new Error(`${name} should be number ${index + 1}: migrations are counted without gaps`)
  }
  return migrations
}

export function parseMigration(file: string, text: string): Migration {
  const number = FILE_NAME.exec(file)?.[1]
  if (number === undefined) throw new Error(`${file} is not named like 0007_companies.sql`)
  const [first = '', second = ''] = text.split('\n')
  const schema = SCHEMA_LINE.exec(first)?.[1]
  if (schema === undefined) throw new Error(`${file} must begin with "-- schema: platform" or "-- schema: worlds"`)
  return {
    number: Number(number),
    name: file.slice(0, -'.sql'.length),
    schemas: schema === 'platform' ? ['platform'] : ['test', 'live'],
    transactional: second !== '-- no transaction',
    text,
    checksum: createHash('sha256').update(withoutComments(text)).digest('hex'),
  }
}

/** Keeps the lines that say how the file runs. */
const withoutComments = (text: string) =>
  text
    .split('\n')
    .map((line, at) => (at < 2 && DIRECTIVE.test(line) ? line : line.replace(/(^|\s)--.*$/, '').trimEnd()))
    .filter((line) => line !== '')
    .join('\n')

/** Splits a file that runs outside a transaction into statements; such files contain no function bodies. */
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*$/m)
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk.replace(/^--.*$/gm, '').trim() !== '')
}
