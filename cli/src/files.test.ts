import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Failure } from './failure.ts'
import { lockFile } from './files.ts'

const inUse = (pid: string) => new Failure(`in use by ${pid}`)
/** No process has this id. */
const DEAD = '4194304 1'

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-cli-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('of two processes that find the lock of a dead process, the slower one does not remove the new lock of the faster one', async () => {
  const folder = await scratchFolder()
  const path = join(folder, 'lock')
  await lockFile(path, inUse)
  const fasterProcess = readFileSync(path)
  await writeFile(path, DEAD)
  // The faster process replaces the lock after the slower one has read it, and before the slower one removes it.
  const kill = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    writeFileSync(path, fasterProcess)
    throw new Error('there is no such process')
  })
  onTestFinished(() => kill.mockRestore())
  await expect(lockFile(path, inUse)).rejects.toThrow(`in use by ${process.pid}`)
  expect(readFileSync(path)).toEqual(fasterProcess)
  expect(await readdir(folder)).toEqual(['lock'])
})

test('a stale lock is removed, even if an earlier process was killed while it removed one', async () => {
  const folder = await scratchFolder()
  const path = join(folder, 'lock')
  await writeFile(path, DEAD)
  await writeFile(`${path}.takeover`, DEAD)
  await lockFile(path, inUse)
  await expect(lockFile(path, inUse)).rejects.toThrow('in use')
  expect(await readdir(folder)).toEqual(['lock'])
})
