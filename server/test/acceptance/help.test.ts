import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { processEnvironment } from './process-environment.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Every npm script that is our own program. `npm start` has its own tests. */
const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts
const programs = Object.entries(scripts).flatMap(([name, command]): [string, string][] => {
  const path = /^node (\S+\.ts)$/.exec(command)?.[1]
  return path === undefined ? [] : [[name, path]]
})

type Ended = { readonly code: unknown; readonly stdout: string; readonly stderr: string }

function run(path: string, ...argv: string[]): Promise<Ended> {
  const options = { cwd: ROOT, env: processEnvironment() }
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...argv], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

describe('every command', () => {
  test('of this list is an npm script that runs our own program', () => {
    const names = ['account', 'bench', 'check', 'generate', 'new-epoch', 'operator-key', 'prove', 'seed']
    expect(programs.map(([name]) => name)).toEqual(expect.arrayContaining(names))
  })

  test.each(programs)('npm run %s -- --help says what the command does, with examples', async (name, path) => {
    const { code, stdout, stderr } = await run(path, '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage:/)
    expect(stdout).toContain(`npm run ${name}`)
    expect(stdout).toContain('Examples:')
  })

  test.each(programs)(
    'npm run %s with an unknown option ends with exit code 2 and names the option',
    async (_name, path) => {
      const { code, stdout, stderr } = await run(path, '--no-such-option')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('--no-such-option')
      expect(stderr).toContain('Usage:')
    },
  )
})
