import { inject } from 'vitest'
import { recordingEnvironment } from '#test/answered-statuses.ts'

/** Returns the environment of a process without the tests' own settings, which must not change how it starts. */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, HOME, NODE_COMPILE_CACHE, ...recordingEnvironment(inject('sharedDirectory')) }
}
