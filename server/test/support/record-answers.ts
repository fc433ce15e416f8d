import { inject } from 'vitest'
import { answersIn, recordAnswers } from './answered-statuses.ts'

/**
 * Vitest loads this file before each test file. At the end of the run, the statuses that services of this process
 * returned are compared with the OpenAPI document.
 */
recordAnswers(answersIn(inject('sharedDirectory')))
