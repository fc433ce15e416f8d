import { inject } from 'vitest'
import { recordingEnvironment } from '#test/answered-statuses.ts'

/** The environment of a process besides its settings: the tests' own environment must not change how it starts. */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, HOME, NODE_COMPILE_CACHE, ...recordingEnvironment(inject('sharedDirectory')) }
}
