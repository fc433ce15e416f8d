import { expect, test } from 'vitest'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { portico, projectFolder, startPortico } from '../support/portico.ts'
import { receiver } from '../support/receiver.ts'
import { CTRL_C, onTerminal, startOnTerminal, steady } from '../support/terminal.ts'

const golden = (name: string) => `./golden/${name}.txt`

/** Compares the output on a terminal and in a pipe with files in which ids and times are replaced. */
export function shownCases(demo: () => DemoFile): void {
  const expectShown = async (name: string, argv: readonly string[], directory: string) => {
    const piped = await portico(argv, { directory })
    const text = `exit code ${piped.code}\n${steady(piped.stdout)}---\n${steady(piped.stderr)}`
    await expect(text).toMatchFileSnapshot(golden(`pipe-${name}`))
    const { code, shown } = await onTerminal(argv, { directory })
    await expect(`exit code ${code}\n${steady(shown)}`).toMatchFileSnapshot(golden(`terminal-${name}`))
  }

  test('matches its files for trigger', async () => {
    const directory = await projectFolder(demo())
    await portico(['trigger', 'investment.canceled'], { directory })
    await expectShown('trigger', ['trigger', 'investment.canceled'], directory)
  })

  test('matches its files for listen', async () => {
    const directory = await projectFolder(demo())
    const [one, two] = [await receiver(), await receiver()]
    const only = ['--events', 'investment.created']
    const piped = startPortico(['listen', '--forward-to', one.url, ...only], { directory })
    const terminal = startOnTerminal(['listen', '--forward-to', two.url, ...only], { directory })
    await expect
      .poll(() => [piped.stderr(), terminal.shown()])
      .toEqual(Array(2).fill(expect.stringContaining('whsec_')))
    await portico(['trigger', 'investment.created'], { directory })
    await expect.poll(() => [piped.stdout(), terminal.shown()]).toEqual(Array(2).fill(expect.stringContaining('204')))
    piped.child.kill('SIGINT')
    terminal.press(CTRL_C)
    const { code, stdout, stderr } = await piped.ended
    const text = `exit code ${code}\n${steady(stdout)}---\n${steady(stderr)}`
    await expect(text).toMatchFileSnapshot(golden('pipe-listen'))
    const ended = await terminal.ended
    await expect(`exit code ${ended.code}\n${steady(ended.shown)}`).toMatchFileSnapshot(golden('terminal-listen'))
  })

  test('matches its files for sync and verify-sync', async () => {
    const directory = await projectFolder(demo())
    await portico(['trigger', 'investment.created'], { directory })
    const { stdout } = await portico(['installations', '--json'], { directory })
    const { data } = JSON.parse(stdout) as { data: { id: string; status: string; target: { type: string } }[] }
    const found = data.find(({ status, target }) => status === 'active' && target.type === 'company')
    const copy = ['--to', 'sqlite:copy.db', '--installation', found?.id ?? '']
    await expectShown('verify-sync', ['verify-sync', ...copy.with(1, 'ndjson:copy')], directory)
    const { code, shown } = await onTerminal(['sync', ...copy], { directory })
    const text = `exit code ${code}\n${steady(shown).replaceAll(directory, 'FOLDER')}`
    await expect(text).toMatchFileSnapshot(golden('terminal-sync'))
  })

  test('matches its files for doctor with a receiver that does not verify signatures', async () => {
    const directory = await projectFolder(demo())
    const unverifyingReceiver = await receiver()
    await expectShown('doctor', ['doctor', '--forward-to', unverifyingReceiver.url], directory)
  })
}
