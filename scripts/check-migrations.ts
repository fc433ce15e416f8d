import { migrationsDirectory } from '../server/src/main/database-server.ts'
import { type Migration, readMigrations, splitStatements } from '../server/src/system/postgres/migration-files.ts'

/** Migrations up to this number are older than the rule about locks. `docs/operations.md` names those that lock a table for long. */
const BEFORE_THE_RULE = 69

/**
 * Returns why a start would reject these migrations (a gap, a number used twice, a wrong name), or why requests would have
 * to wait for one of them. Returns null if there is no problem.
 */
export async function migrationProblem(directory: string): Promise<string | null> {
  try {
    const migrations = await readMigrations(directory)
    return migrations.filter(({ number }) => number > BEFORE_THE_RULE).flatMap(lockProblems)[0] ?? null
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

/** Changes that read or write all rows of a table while they lock it, and what to write instead. */
const SLOW_CHANGES: readonly (readonly [RegExp, string])[] = [
  [
    /\badd (?:constraint \w+ )?(?:check|foreign key)\b/,
    'add the constraint `not valid`, and validate it in a later file with "-- no transaction"',
  ],
  [
    /\badd (?:constraint \w+ )?(?:unique|primary key)\b(?! using index)/,
    'create the index concurrently, and add the constraint `using index`',
  ],
  [/\balter (?:column )?\w+ (?:set data )?type\b/, 'add another column, fill it in batches and switch'],
  [/\balter (?:column )?\w+ set not null\b/, 'add a check `not valid`, validate it, and set `not null` after that'],
  [
    /\badd (?:column )?\w+ .*(?:generated always|default (?:gen_random|clock_timestamp))/,
    'add the column without a value, and fill it in batches',
  ],
]

/** Statements that lock a table against writes while they read all of it. */
function lockProblems({ name, text }: Migration): readonly string[] {
  const [, few = ''] = /^-- few rows: (.*)$/m.exec(text) ?? []
  const plain = text.replace(/^--.*$/gm, '').replace(/\$\$.*?\$\$/gs, '')
  const created = [...plain.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(([, table]) => table)
  const small = new Set([...few.split(' '), ...created])
  return splitStatements(plain).flatMap((statement) => {
    const flat = statement.replace(/\s+/g, ' ')
    const [, indexed] = /^create (?:unique )?index (?!concurrently)\w+ on (?:only )?(\w+)/.exec(flat) ?? []
    const [, altered] = /^alter table (?:if exists )?(?:only )?(\w+)/.exec(flat) ?? []
    const table = indexed ?? altered
    if (table === undefined || small.has(table)) return []
    const advice =
      indexed === undefined ? slowChange(flat) : 'create it concurrently, in a file with "-- no transaction"'
    return advice === null
      ? []
      : [
          `${name} locks ${table} while it reads all rows: ${advice}. If it always has few rows: "-- few rows: ${table}"`,
        ]
  })
}

function slowChange(statement: string): string | null {
  const clauses = statement.split(/,(?= (?:add|alter|drop|validate) )/)
  const slow = clauses.filter((clause) => !/\bnot valid\b/.test(clause))
  return SLOW_CHANGES.find(([change]) => slow.some((clause) => change.test(clause)))?.[1] ?? null
}

if (import.meta.main) {
  const problem = await migrationProblem(migrationsDirectory)
  process.stdout.write(`${problem ?? 'The migrations are numbered without gaps, and lock no table for long.'}\n`)
  process.exitCode = problem === null ? 0 : 1
}
