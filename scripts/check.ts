import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { scriptOptions } from '../server/src/main/command-line.ts'

scriptOptions(
  {},
  `Usage: npm run check

Checks the code without running the service: format, lint, types, borders between folders, SQL owners, migrations, words, dead code,
generated files, OpenAPI, and whether the documentation's search answers readers' questions. Run \`npm test\` for the rest. Exit code 1 if a check fails.

Examples:

  npm run check
  npm run format        # fixes most of what format and lint complain about
  npm run generate      # writes the generated files
`,
)

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')
const COLOUR = process.stdout.isTTY === true
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

type Check = { readonly name: string; readonly command: readonly [string, ...string[]]; readonly remedy?: string }
type Outcome = { readonly passed: boolean; readonly output: string; readonly seconds: string }

/** The checks in the order of the report: problems that are quick to fix come first. */
const CHECKS: readonly Check[] = [
  {
    name: 'format and lint',
    command: [
      join(BIN, 'biome'),
      'ci',
      '--error-on-warnings',
      '--max-diagnostics=50',
      `--colors=${COLOUR ? 'force' : 'off'}`,
    ],
    remedy: 'npx biome check --write fixes most of it',
  },
  { name: 'types', command: typesOf('tsconfig.json', 'server') },
  { name: 'types of the portal', command: typesOf('portal/tsconfig.json', 'portal') },
  { name: 'borders', command: [process.execPath, 'scripts/check-borders.ts'] },
  { name: 'SQL owners', command: [process.execPath, 'scripts/check-sql-owners.ts'] },
  { name: 'migrations', command: [process.execPath, 'scripts/check-migrations.ts'] },
  { name: 'words', command: [process.execPath, 'scripts/check-words.ts'] },
  { name: 'dead code', command: [join(BIN, 'knip'), '--no-progress', '--treat-config-hints-as-errors'] },
  {
    name: 'generated files',
    command: [process.execPath, 'scripts/generate.ts', '--check'],
    remedy: 'npm run generate writes them',
  },
  { name: 'OpenAPI', command: [process.execPath, 'scripts/lint-openapi.ts', 'server/openapi.json'] },
  { name: 'docs questions', command: [process.execPath, 'scripts/docs-questions.ts'] },
]

/** Stores the compiler's incremental build info, so that the next check reads only changed files and their importers. */
function typesOf(project: string, name: string): Check['command'] {
  const buildInfo = join(ROOT, 'node_modules/.cache/portico', `types-of-${name}.tsbuildinfo`)
  return [
    join(BIN, 'tsc'),
    '--project',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    buildInfo,
    '--pretty',
    String(COLOUR),
  ]
}

function run({ command: [file, ...args] }: Check): Promise<Outcome> {
  const startedMs = performance.now()
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env['PATH'] ?? ''}` }
  return new Promise((resolve) => {
    execFile(file, args, { cwd: ROOT, env, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      const output = [stdout, stderr, error !== null && typeof error.code === 'string' ? error.message : '']
      resolve({ passed: error === null, output: output.join('').trim(), seconds })
    })
  })
}

function report({ name, remedy }: Check, { passed, output, seconds }: Outcome): void {
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(18)} ${seconds} s\n`)
  if (passed) return
  process.stdout.write(`\n${output.replace(/^/gm, '    ')}\n\n`)
  if (remedy !== undefined) process.stdout.write(`    ${remedy}\n\n`)
}

// Starts all checks at the same time. The report prints the results in the order of `CHECKS`.
const running = CHECKS.map((check) => ({ check, outcome: run(check) }))
let failed = 0
for (const { check, outcome } of running) {
  const finished = await outcome
  report(check, finished)
  if (!finished.passed) failed++
}
process.stdout.write(failed === 0 ? 'All checks passed.\n' : `${failed} of ${CHECKS.length} checks failed.\n`)
process.exitCode = failed === 0 ? 0 : 1
