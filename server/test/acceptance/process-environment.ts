import { join } from 'node:path'
import { inject } from 'vitest'
import { recordingEnvironment } from '#test/answered-statuses.ts'

/** What a process is given beside its settings: nothing of the tests' own environment may decide how it starts. */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  // Half of a start is reading the sources, which are the same for all of the many processes of a run.
  const shared = inject('sharedDirectory')
  return { PATH, HOME, NODE_COMPILE_CACHE: join(shared, 'compiled'), ...recordingEnvironment(shared) }
}
