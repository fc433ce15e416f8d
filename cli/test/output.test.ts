import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../server/test/support/free-port.ts'
import { COMMON_OPTIONS } from '../src/command.ts'
import { COMMANDS } from '../src/commands/table.ts'
import { portico, projectFolder } from './support/portico.ts'
import { onTerminal } from './support/terminal.ts'

const golden = (name: string) => `./golden/${name}.txt`

describe('output without a service', () => {
  test.each([
    ['help', ['--help']],
    ['help-listen', ['listen', '--help']],
    ['unknown-flag', ['listen', '--forward-too', 'http://127.0.0.1:1/']],
    ['unknown-command', ['trigerr', 'investment.created']],
    ['missing-word', ['trigger']],
    ['missing-value', ['listen', '--forward-to', '--json']],
    ['not-logged-in', ['trigger', 'investment.created']],
    ['wrong-mode', ['listen', '--mode', 'sandbox']],
  ])('matches its file on a terminal: %s', async (name, argv) => {
    const { code, shown } = await onTerminal(argv, { directory: await projectFolder() })
    await expect(`exit code ${code}\n${shown}`).toMatchFileSnapshot(golden(`terminal-${name}`))
  })

  test.each([
    ['unknown-flag', ['listen', '--forward-too', 'http://127.0.0.1:1/']],
    ['not-logged-in', ['trigger', 'investment.created', '--json']],
  ])('matches its file in a pipe: %s', async (name, argv) => {
    const { code, stdout, stderr } = await portico(argv, { directory: await projectFolder() })
    await expect(`exit code ${code}\n${stdout}---\n${stderr}`).toMatchFileSnapshot(golden(`pipe-${name}`))
  })

  test('the bash completion offers commands, the second words of a group, events and options', async () => {
    const { stdout } = await portico(['completion', 'bash'], { directory: await projectFolder() })
    const offeredWords = (...words: string[]) =>
      execFileSync(
        'bash',
        ['-c', `${stdout}\nCOMP_WORDS=(portico "$@"); COMP_CWORD=$#; _portico; echo "\${COMPREPLY[*]}"`, '-', ...words],
        {
          encoding: 'utf8',
        },
      ).trim()
    expect(offeredWords('ev')).toBe('events')
    expect(offeredWords('events', '')).toContain('list get resend')
    expect(offeredWords('trigger', 'investment.c')).toContain('investment.created')
    expect(offeredWords('listen', '--forw')).toBe('--forward-to')
    expect(offeredWords('events', 'list', '--su')).toBe('--subject')
    for (const shell of ['zsh', 'fish']) {
      const script = await portico(['completion', shell], { directory: await projectFolder() })
      expect([script.code, script.stdout]).toEqual([0, expect.stringContaining('investment.created')])
    }
  })

  test('NO_COLOR and --no-color turn colors off on a terminal', async () => {
    const directory = await projectFolder()
    const code = '\u001b['
    expect((await onTerminal(['trigger'], { directory })).shown).toContain(code)
    expect((await onTerminal(['trigger', '--no-color'], { directory })).shown).not.toContain(code)
    expect((await onTerminal(['trigger'], { directory, environment: { NO_COLOR: '1' } })).shown).not.toContain(code)
  })

  test('a command whose connection is refused prints one sentence with the remedy, and a stack trace only with --debug', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const demo = {
      base_url: url,
      operator_keys: { test: 'ok_test_x' },
      apps: [APP],
      people: {},
      ids: {},
    }
    const directory = await projectFolder(demo)
    const plain = await portico(['trigger', 'investment.created'], { directory })
    expect(plain.code).toBe(5)
    expect(plain.stderr).toContain(
      `error: Nothing answers at ${url} (connection refused). Start the demo with npm start`,
    )
    expect(plain.stderr).not.toMatch(/^ +at /m)
    const debug = await portico(['trigger', 'investment.created', '--debug'], { directory })
    expect(debug.stderr).toMatch(/^ +at /m)
  })
})

test('the remark about the demo says that nobody is logged in, but not with --demo', async () => {
  const demo = { base_url: 'http://127.0.0.1:1', operator_keys: {}, apps: [APP], people: {}, ids: {} }
  const directory = await projectFolder(demo)
  const name = 'the demo in .portico/demo.json as the app Fieldbook CRM, test.'
  expect((await portico(['open', 'docs'], { directory })).stderr).toBe(`Not logged in: using ${name}\n`)
  expect((await portico(['open', 'docs', '--demo'], { directory })).stderr).toBe(`Using ${name}\n`)
})

const APP = {
  ...{ id: 'app_x', name: 'Fieldbook CRM' },
  keys: [{ mode: 'test', type: 'confidential', client_id: 'pk_test_x', client_secret: 'sk_test_x' }],
}

describe('the table of commands', () => {
  test('an option takes a value in all commands that have it, or in none', () => {
    const kinds = new Map<string, boolean>()
    for (const { name, options } of [{ name: 'every command', options: COMMON_OPTIONS }, ...COMMANDS]) {
      for (const [option, { value }] of Object.entries(options as (typeof COMMANDS)[number]['options'])) {
        const takesValue = value !== undefined
        expect([name, option, kinds.get(option) ?? takesValue]).toEqual([name, option, takesValue])
        kinds.set(option, takesValue)
      }
    }
  })

  test('every command has a unique name, and an example that begins with this name', () => {
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length)
    for (const { name, examples } of COMMANDS) {
      expect([name, examples.some((example) => example.startsWith(`portico ${name}`))]).toEqual([name, true])
    }
  })
})
