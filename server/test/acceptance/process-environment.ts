import { join } from 'node:path'
import { inject } from 'vitest'

/** What a process is given beside its settings: nothing of the tests' own environment may decide how it starts. */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  // Half of a start is reading the sources, which are the same for all of the many processes of a run.
  return { PATH, HOME, NODE_COMPILE_CACHE: join(inject('sharedDirectory'), 'compiled') }
}
