import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { scriptOptions } from '../server/src/main/command-line.ts'

const HELP = `Usage: npm run build:portal

Builds the developer portal into portal/dist, from where a running server serves it. npm ci runs this command too.
Where Vite is not installed, as after npm ci --omit=dev, the command builds nothing and says so.

Examples:

  npm run build:portal
`
const PORTAL = join(import.meta.dirname, '../portal')
const [DIST, DRAFT, OLD] = ['dist', 'dist.draft', 'dist.old'].map((name) => join(PORTAL, name)) as [
  string,
  string,
  string,
]

if (import.meta.main) {
  scriptOptions({}, HELP)
  const startedMs = performance.now()
  const vite = await import('vite').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  })
  if (vite === null) process.stdout.write('The developer portal is not built: Vite is not installed.\n')
  else {
    await vite.build({ configFile: join(PORTAL, 'vite.config.ts'), logLevel: 'warn', build: { outDir: DRAFT } })
    await compressFiles()
    await replaceBuild()
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
    process.stdout.write(`Built the developer portal (${seconds} s).\n`)
  }
}

/** Compresses as well as possible, because only the build compresses these files and the server never does. */
async function compressFiles(): Promise<void> {
  const files: string[] = []
  for await (const file of glob('{scripts,styles,console}/*', { cwd: DRAFT })) files.push(file)
  await Promise.all(
    files.map(async (file) => {
      const path = join(DRAFT, file)
      const plain = await readFile(path)
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
      await Promise.all([
        promisify(brotliCompress)(plain, quality).then((bytes) => writeFile(`${path}.br`, bytes)),
        promisify(gzip)(plain, { level: 9 }).then((bytes) => writeFile(`${path}.gz`, bytes)),
      ])
    }),
  )
}

/** Replaces the build by renaming folders, so that a running server never finds half a build. */
async function replaceBuild(): Promise<void> {
  await rm(OLD, { recursive: true, force: true })
  await rename(DIST, OLD).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(DRAFT, DIST)
  await rm(OLD, { recursive: true, force: true })
}
