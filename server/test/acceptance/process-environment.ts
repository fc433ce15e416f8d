import { inject } from 'vitest'
import { recordingEnvironment } from '#test/answered-statuses.ts'

/** Returns the environment for a process that a test starts. The tests' own settings are left out. */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, HOME, NODE_COMPILE_CACHE, ...recordingEnvironment(inject('sharedDirectory')) }
}
