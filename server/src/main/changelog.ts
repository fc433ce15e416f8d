import { readFileSync } from 'node:fs'

/** What changed, as it was written for those who read the repository, for those who read the reference. */
export function changelogText(): string {
  return readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
}
