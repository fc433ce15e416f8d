import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The first Node on the path whose version is 20 to 22. Undefined if there is no such Node. */
export async function olderNode(): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(directory, 'node')
    if (!existsSync(node)) continue
    const { stdout } = await run(node, ['--version'])
    if (/^v2[0-2]\./.test(stdout)) return node
  }
  return undefined
}
