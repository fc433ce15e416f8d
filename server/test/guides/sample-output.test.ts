import { describe, expect, test } from 'vitest'
import { differenceOf } from './sample-output.ts'

describe('a sample of JSON', () => {
  const PRINTED = '{"id":"inv_1","amounts":{"committed":250,"paid":null},"rows":[1,2]}\n{"id":"inv_2"}'
  test.each([
    '{"id": "inv_…", "amounts": {"committed": 100, "paid": null}, "rows": [7]}',
    '{"id": …, "amounts": …, …} // the first',
    '{"id": "…", "amounts": {"paid": null, …}, "rows": […]}\n{"id": "inv_…"}',
  ])('fits: %s', (sample) => {
    expect(differenceOf(sample, 'json5', PRINTED)).toBeNull()
  })

  test.each([
    ['{"id": "inv_…"}', 'the sample lacks amounts'],
    ['{"name": "…", …}', 'has no name'],
    ['{"id": 7, …}', 'the value.id is string, in the sample number'],
    ['{"amounts": {"paid": 250, …}, …}', 'the value.amounts.paid is null'],
    ['{"rows": [1, 2, 3], …}', 'has 2 elements'],
    ['{…} {…} {…}', 'printed 2 values'],
  ])('does not fit: %s', (sample, reason) => {
    expect(differenceOf(sample, 'json', PRINTED)).toContain(reason)
  })

  test('does not fit text that is not JSON', () => {
    expect(differenceOf('{"id": "…"}', 'json', 'curl: (7) refused')).toContain('no JSON')
  })
})

describe('a sample of text', () => {
  const PRINTED = '4 applied, 0 refused, in 0.3 s.\nverified investment.created evt_0VbL60NNGlqN6FvmPcZ9BSmi\n'
  test.each([
    '12 applied, 3 refused, in 1.25 s.\nverified investment.created evt_0UxeAjS2T2yPDqgiuxFL3S5z',
    '4 applied, 0 refused,\n  in 0.3 s.\nverified …',
  ])('fits with any numbers, ids and line breaks: %s', (sample) => {
    expect(differenceOf(sample, 'text', PRINTED)).toBeNull()
  })

  test.each(['4 applied, 0 refused, in 0.3 s.', '4 sent, 0 refused, in 0.3 s. …'])('does not fit: %s', (sample) => {
    expect(differenceOf(sample, 'text', PRINTED)).toContain('it printed')
  })
})
