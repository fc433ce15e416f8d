import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { portalBuild } from '../server/src/front/portal-routes.ts'
import { scriptOptions } from '../server/src/main/command-line.ts'

const HELP = `Usage: npm run metrics:portal

Prints how many bytes of JavaScript and CSS a browser loads before the first page of the developer portal is shown,
compressed with brotli as the server sends them. npm run build:portal builds what is measured.

Examples:

  npm run metrics:portal
`
const DIST = join(import.meta.dirname, '../portal/dist')

scriptOptions({}, HELP)
const entry = await portalBuild(DIST).entry('portal')
if (entry === null) throw new Error('The portal is not built. Run: npm run build:portal')
const scripts = await compressedBytes([entry.script, ...entry.chunks])
const styles = await compressedBytes(entry.styles)
process.stdout.write(`${kilobytes(scripts)} KB  JavaScript at first load (at most 200)\n`)
process.stdout.write(`${kilobytes(styles)} KB  style sheets\n`)
process.exitCode = scripts <= 200 * 1_024 ? 0 : 1

async function compressedBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await readFile(join(DIST, `${file}.br`))).length))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function kilobytes(bytes: number): string {
  return (bytes / 1_024).toFixed(1).padStart(6)
}
