import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { portalBuild } from '../server/src/front/portal-routes.ts'
import { scriptOptions } from '../server/src/main/command-line.ts'

const HELP = `Usage: npm run metrics:portal

Prints how many kilobytes of JavaScript and CSS a browser loads to show the first page of the developer portal,
compressed with brotli, as the server sends the files. The exit code is 1 if the JavaScript has more than 200 KB.
Build the files first: npm run build:portal.

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
