import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The machine's own Node, if it is older than the one that the project installs. */
export async function olderNode(): Promise<string | undefined> {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(place, 'node')
    if (!existsSync(node)) continue
    const { stdout } = await run(node, ['--version'])
    if (/^v2[0-2]\./.test(stdout)) return node
  }
  return undefined
}
