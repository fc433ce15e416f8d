import { describe, expect, test } from 'vitest'
import { loadDemo } from '../optional-workspaces.ts'
import { readArguments as readAccount } from './account.ts'
import { readArguments as readOperatorKey } from './operator-key.ts'
import { outcomeOf } from './run-command.ts'
import { readArguments as readSeed } from './seed.ts'

/*
 * Arguments are parsed before a database is opened, so a rejected command changes nothing. These cases run in this process,
 * because starting a process takes a second. server/test/acceptance runs one or two cases of each command as a process.
 */

function rejected(readArguments: () => unknown) {
  try {
    readArguments()
  } catch (error) {
    return outcomeOf(error)
  }
  throw new Error('the arguments were accepted')
}

describe('npm run account', () => {
  test.each([
    ['no arguments', []],
    ['no name', ['create', 'x@example.org']],
    ['no address', ['grant-admin']],
    ['an unknown verb', ['promote', 'x@example.org']],
    ['two addresses', ['disable', 'x@example.org', 'y@example.org']],
  ])('%s: exit code 2, and the usage', (_, argv) => {
    const { code, stdout, stderr } = rejected(() => readAccount(argv))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('npm run account -- create')
  })

  test.each([
    ['a malformed address', ['create', 'notanemail', '--name', 'X'], 'Enter an email address'],
    ['an empty name', ['create', 'odd@example.org', '--name', ' '], 'Enter your name.'],
    ['a long name', ['create', 'odd@example.org', '--name', 'x'.repeat(300)], 'Enter a name of one line'],
    ['a name of two lines', ['create', 'odd@example.org', '--name', 'Odd\nacct_1'], 'Enter a name of one line'],
    ['an invitation without an address', ['invite', 'notanemail'], 'Enter an email address'],
  ])('%s: a sentence, and exit code 2', (_, argv, sentence) => {
    const { code, stdout, stderr } = rejected(() => readAccount(argv))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.startsWith(sentence)).toBe(true)
    expect(stderr).not.toMatch(/The command failed|\n\s+at /)
  })
})

test.each([[['create', '--world', 'moon', '--name', 'x']], [['create', '--world', 'test']], [['revoke', 'x']], [[]]])(
  'npm run operator-key, %j: exit code 2, and the usage',
  (argv) => {
    const result = rejected(() => readOperatorKey(argv))
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('npm run operator-key -- create')
  },
)

test.each([
  [['--investments', '1000001']],
  [['--investments', '0']],
  [['--investments', 'many']],
  [['--investments', '10', '--world', 'moon']],
  [['--investments', '10', 'more']],
  [[]],
])('npm run seed, %j: exit code 2, and the usage', async (argv) => {
  const { SEEDED_MAX } = await loadDemo()
  const result = rejected(() => readSeed(argv, SEEDED_MAX))
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain('npm run seed -- --investments N')
})
