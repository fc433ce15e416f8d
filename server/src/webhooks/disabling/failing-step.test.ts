import { expect, test } from 'vitest'
import { failingStep } from './failing-step.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

test.each([
  { after: 599, lastAfter: 330, notices: 0, step: null, why: 'no notice in the first ten minutes' },
  { after: 600, lastAfter: 330, notices: 0, step: 'started', why: 'failures started' },
  { after: 600, lastAfter: 330, notices: 0, since: DAY - 1, step: null, why: 'at most one such notice a day' },
  { after: 600, lastAfter: 330, notices: 0, since: DAY, step: 'started', why: 'a day after the last such notice' },
  { after: HOUR, lastAfter: HOUR, notices: 1, step: null, why: 'notified once already' },
  { after: 4 * DAY - 1, lastAfter: 3 * DAY, notices: 1, step: null, why: 'no warning before four days' },
  { after: 4 * DAY, lastAfter: 3 * DAY, notices: 1, step: 'warned', why: 'a day before it is disabled' },
  { after: 4 * DAY + HOUR, lastAfter: 4 * DAY, notices: 2, step: null, why: 'warned already' },
  { after: 5 * DAY - 1, lastAfter: 5 * DAY - 1, notices: 2, step: null, why: 'not disabled before five days' },
  { after: 5 * DAY, lastAfter: 5 * DAY, notices: 2, step: 'disabled', why: 'failing for five days' },
  { after: 9 * DAY, lastAfter: 3 * DAY, notices: 2, step: null, why: 'no attempt failed after five days' },
  { after: 9 * DAY, lastAfter: 9 * DAY, notices: 1, step: 'disabled', why: 'the clock jumped past the warning' },
  {
    after: 9 * DAY,
    lastAfter: 9 * DAY,
    notices: 0,
    step: 'started',
    why: 'the first notice is sent before any later step',
  },
])(
  'after $after s, last failure at $lastAfter s, $notices notices sent: $step ($why)',
  ({ after, lastAfter, notices, since = null, step }) => {
    const failing = { forSeconds: after, lastFailureAfterSeconds: lastAfter, notices, sinceNoticeSeconds: since }
    expect(failingStep(failing)).toBe(step)
  },
)
