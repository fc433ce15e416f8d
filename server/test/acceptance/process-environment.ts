import { join } from 'node:path'
import { inject } from 'vitest'
import { recordingEnvironment } from '#test/answered-statuses.ts'

/** The environment of a process besides its settings: the tests' own environment must not change how it starts. */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  // Half of a start is compiling the sources, which are the same for all processes of a run.
  const shared = inject('sharedDirectory')
  return { PATH, HOME, NODE_COMPILE_CACHE: join(shared, 'compiled'), ...recordingEnvironment(shared) }
}
