import { readFileSync } from 'node:fs'

/** CHANGELOG.md of the repository, also shown in the reference. */
export function changelogText(): string {
  return readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
}
