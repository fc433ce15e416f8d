import { describe, expect, test } from 'vitest'
import { AUTHORIZE_STEPS, TRUST_STEPS } from './check-authorize-request.ts'
import { inOrder } from './oauth-protocol.ts'
import { TOKEN_STEPS } from './token-steps.ts'

describe('a list of steps', () => {
  test('runs in order, and each step sees the results of the earlier steps', async () => {
    const list = inOrder<{ readonly start: number }>()
      .step(({ start }) => ({ twice: start * 2 }))
      .step(async ({ start, twice }) => ({ sum: start + twice }))
      .step(() => {})
    expect(await list.run({ start: 3 })).toEqual({ start: 3, twice: 6, sum: 9 })
  })

  test('stops at the first rejection', async () => {
    const seen: string[] = []
    const list = inOrder<object>()
      .step(() => {
        throw new RangeError('no')
      })
      .step(() => {
        seen.push('later')
      })
    await expect(list.run({})).rejects.toThrow(RangeError)
    expect(seen).toEqual([])
  })

  test('does not change when another list extends it', () => {
    const list = inOrder<object>().step(function first() {})
    list.step(function second() {})
    expect(list.names).toEqual(['first'])
  })
})

describe('the order of steps in which', () => {
  test('an authorize request becomes trusted', () => {
    expect(TRUST_STEPS.names).toEqual([
      'checkLength',
      'readQuery',
      'loadClient',
      'checkClientState',
      'checkRedirectUri',
      // Checked again, because a redirect URI that the app omitted makes the address of the request longer.
      'checkLength',
    ])
  })

  test('a trusted authorize request is checked', () => {
    expect(AUTHORIZE_STEPS.names).toEqual([
      'checkRepeated',
      'checkState',
      'checkRequestObject',
      'checkResponseType',
      'checkResponseMode',
      'checkPkce',
      'checkScopes',
    ])
  })

  test('a token request is processed: parameters, client, grant, then the token', () => {
    expect(TOKEN_STEPS.names).toEqual([
      'readParameters',
      'readCredentials',
      'countAttempt',
      'authenticateClient',
      'countProved',
      'chooseGrant',
      'issue',
    ])
  })
})
