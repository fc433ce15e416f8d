import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layoutOf } from './layout.ts'
import { connectionUrlOfRunning } from './running.ts'
import { newHome, query, scratchDirectory, start, usedHome } from './testing/scratch.ts'

const findUrl = (dataDirectory: string, patienceMs = 10_000) =>
  connectionUrlOfRunning({ dataDirectory, database: 'app', patienceMs })

describe('connectionUrlOfRunning', () => {
  test('returns the URL that the process of the server uses', async () => {
    const home = await usedHome()
    const server = await start(home)
    expect(await findUrl(home)).toBe(server.url)
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('returns the URL of a server on a TCP port', async () => {
    const home = await usedHome()
    const server = await start(home, { listen: 'tcp' })
    expect(await findUrl(home)).toBe(server.url)
  })

  test('waits while the server starts', async () => {
    const home = await newHome()
    const starting = start(home)
    const { lock } = layoutOf(home)
    await expect.poll(() => import('node:fs').then(({ existsSync }) => existsSync(lock))).toBe(true)
    expect(await findUrl(home, 30_000)).toBe((await starting).url)
  })

  test('returns undefined before the first start, after a stop, and if the process with the lock is dead', async () => {
    expect(await findUrl(join(await scratchDirectory(), 'nothing'))).toBeUndefined()
    const home = await usedHome()
    expect(await findUrl(home)).toBeUndefined()
    const server = await start(home)
    await server.stop()
    expect(await findUrl(home)).toBeUndefined()
    await writeFile(layoutOf(home).lock, '{"pid": 999999999, "startedAt": null, "token": "gone"}\n')
    expect(await findUrl(home)).toBeUndefined()
  })

  test('throws an error with the pid if the server never responds', async () => {
    const home = await usedHome()
    await writeFile(layoutOf(home).lock, `${JSON.stringify({ pid: process.pid, startedAt: null, token: 'me' })}\n`)
    await expect(findUrl(home, 200)).rejects.toThrow(`Process ${process.pid} uses`)
  })
})
