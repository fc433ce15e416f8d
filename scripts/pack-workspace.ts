import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import { orExit, readCommandLine, rejectPositionals, UsageError } from '../server/src/main/command-line.ts'

/**
 * The repository runs TypeScript directly. Node strips no types under node_modules, so the published package has
 * JavaScript with declarations, and a package.json that points to them. npm cannot pack another package.json, so the
 * file is replaced while npm packs, and restored afterwards.
 */
const HELP = `Usage: node ../scripts/pack-workspace.ts --before | --after

Run by \`npm pack\` and \`npm publish\` in a workspace that is published, such as sdk: before packing it compiles src to dist and writes
the package.json of the tarball, after packing it puts everything back. A program (one with "bin") becomes one file, with the other
workspaces that it uses in it.

  --before   what npm calls prepack
  --after    what npm calls postpack
  --help     print this

Examples:

  npm pack --workspace sdk
  npm pack --workspace cli --pack-destination /tmp
`
const OPTIONS = { before: { type: 'boolean', default: false }, after: { type: 'boolean', default: false } } as const

const isBefore = orExit(() => {
  const { values, positionals } = readCommandLine(process.argv.slice(2), OPTIONS, HELP)
  rejectPositionals(positionals, HELP)
  if (values.before === values.after) throw new UsageError('Say --before or --after.', HELP)
  return values.before
})

const FOLDER = process.cwd()
const MANIFEST = join(FOLDER, 'package.json')
/** The original package.json while npm packs. If packing was killed, the next run restores the file first. */
const SOURCE_MANIFEST = join(FOLDER, 'package.source.json')
const DIST = join(FOLDER, 'dist')
const TSC = join(import.meta.dirname, '../node_modules/.bin/tsc')

await putBack()
if (isBefore) {
  const text = await readFile(MANIFEST, 'utf8')
  const manifest: Manifest = JSON.parse(text)
  await (manifest.bin === undefined ? compile() : bundle(manifest))
  await writeFile(SOURCE_MANIFEST, text)
  await writeFile(MANIFEST, `${JSON.stringify(published(manifest), null, 2)}\n`)
}

async function compile(): Promise<void> {
  execFileSync(TSC, ['--project', 'tsconfig.build.json'], { cwd: FOLDER, stdio: 'inherit' })
  await nameJavaScript()
}

async function bundle(manifest: Manifest): Promise<void> {
  const external = Object.keys(fromRegistry(manifest))
  await build({
    input: join(FOLDER, 'src/main.ts'),
    platform: 'node',
    external: [/^node:/, ...external],
    // Node 20 has no `await using`.
    transform: { target: 'es2022' },
    output: { file: join(DIST, 'main.js'), format: 'esm', codeSplitting: false },
    logLevel: 'warn',
  })
}

/** The dependencies from the registry: all except our own workspaces. */
function fromRegistry({ dependencies = {} }: Manifest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('@portico/')))
}

async function putBack(): Promise<void> {
  if (existsSync(SOURCE_MANIFEST)) await rename(SOURCE_MANIFEST, MANIFEST)
  // The command line prefers dist to src, so an old dist must not stay behind.
  await rm(DIST, { recursive: true, force: true })
}

/** Replaces `./client.ts` by `./client.js` in declarations, because tsc does not. */
async function nameJavaScript(): Promise<void> {
  for (const name of await readdir(DIST, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const text = await readFile(join(DIST, name), 'utf8')
    await writeFile(join(DIST, name), text.replace(/((?:from|import\() ?['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
  }
}

type Manifest = Readonly<Record<string, unknown>> & {
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
}

function published(manifest: Manifest): object {
  const { scripts: _, devDependencies: __, exports, ...rest } = manifest
  if (manifest.bin !== undefined) return { ...rest, dependencies: fromRegistry(manifest) }
  if (exports === undefined) return rest
  const entries = Object.entries(exports).map(([name, file]) => {
    const built = file.replace('./src/', './dist/').replace(/\.ts$/, '')
    return [name, { types: `${built}.d.ts`, default: `${built}.js` }]
  })
  return { ...rest, exports: Object.fromEntries(entries) }
}
