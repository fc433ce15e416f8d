import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const PROCESSES = 6
const ROUNDS = 12
/** No process has this id. */
const DEAD = '4194304 1'

/**
 * For each line `open FOLDER`, prints `open` or why the store cannot be opened. For each line `close`, closes the store and
 * prints `closed`.
 */
const PROGRAM = `
import { createInterface } from 'node:readline'
import { ndjsonStore } from ${JSON.stringify(new URL('../src/node.ts', import.meta.url).href)}

let store
console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'close') {
    await store?.close()
    store = undefined
    console.log('closed')
  } else {
    store = await ndjsonStore(line.slice('open '.length)).catch((error) => void console.log(error.message))
    if (store !== undefined) console.log('open')
  }
}
`

type Competitor = { readonly child: ChildProcess; request(line: string): Promise<string> }

async function startCompetitor(): Promise<Competitor> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  expect(await nextLine()).toBe('ready')
  return {
    child,
    request: (line) => {
      child.stdin.write(`${line}\n`)
      return nextLine()
    },
  }
}

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-folder-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test.each([
  ['a folder without a lock', async () => {}],
  ['a folder whose process was killed', (folder: string) => writeFile(join(folder, 'lock'), DEAD)],
  [
    'a folder in which a process was killed while it removed a stale lock',
    async (folder: string) => {
      await writeFile(join(folder, 'lock'), DEAD)
      await writeFile(join(folder, 'lock.takeover'), DEAD)
    },
  ],
])('one of several processes that open it at the same time gets %s', async (_, leaveLocks) => {
  const folder = await scratchFolder()
  const competitors = await Promise.all(Array.from({ length: PROCESSES }, startCompetitor))
  const requestOfAll = (line: string) => Promise.all(competitors.map(({ request }) => request(line)))
  for (let round = 0; round < ROUNDS; round++) {
    const copy = join(folder, String(round))
    await mkdir(copy)
    await leaveLocks(copy)
    const results = await requestOfAll(`open ${copy}`)
    const opened = results.indexOf('open')
    const holder = competitors[opened]?.child.pid
    const rejected = results.filter((_result, at) => at !== opened)
    for (const message of rejected) {
      expect(message).toMatch(/^The process \d+ has this copy open\. Wait until it ends\./)
      expect(message).toContain(`If it does not use this copy, delete ${join(copy, 'lock')}`)
    }
    expect(holder).toBeDefined()
    expect((await readdir(copy)).sort()).toEqual(['journal.ndjson', 'lock'])
    await requestOfAll('close')
    expect(await readdir(copy)).toEqual(['journal.ndjson'])
  }
})

test('a folder can be opened after its process was killed, and not by two stores of one process', async () => {
  const folder = await scratchFolder()
  const [killed, next] = [await startCompetitor(), await startCompetitor()]
  expect(await killed.request(`open ${folder}`)).toBe('open')
  expect(await next.request(`open ${folder}`)).toContain(`The process ${killed.child.pid} has this copy open.`)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  expect(await next.request(`open ${folder}`)).toBe('open')
  expect(await next.request(`open ${folder}`)).toContain(`The process ${next.child.pid} has this copy open.`)
})
