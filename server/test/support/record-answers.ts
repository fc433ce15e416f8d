import { inject } from 'vitest'
import { answersIn, recordAnswers } from './answered-statuses.ts'

/** Loaded before each test file: what services of this process answer is compared with OpenAPI when the run ends. */
recordAnswers(answersIn(inject('sharedDirectory')))
