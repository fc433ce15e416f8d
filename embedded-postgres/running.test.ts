import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layoutOf } from './layout.ts'
import { connectionUrlOfRunning } from './running.ts'
import { newHome, query, scratchDirectory, start, usedHome } from './testing/scratch.ts'

const ask = (dataDirectory: string, patienceMs = 10_000) =>
  connectionUrlOfRunning({ dataDirectory, database: 'app', patienceMs })

describe('the server that another process runs on a data directory', () => {
  test('is found by the address its own process uses, and responds there', async () => {
    const home = await usedHome()
    const server = await start(home)
    expect(await ask(home)).toBe(server.url)
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('is found over TCP as well', async () => {
    const home = await usedHome()
    const server = await start(home, { listen: 'tcp' })
    expect(await ask(home)).toBe(server.url)
  })

  test('is waited for while it starts', async () => {
    const home = await newHome()
    const starting = start(home)
    const { lock } = layoutOf(home)
    await expect.poll(() => import('node:fs').then(({ existsSync }) => existsSync(lock))).toBe(true)
    expect(await ask(home, 30_000)).toBe((await starting).url)
  })

  test('is not found before the first start, after it stopped, and when no living process has the directory', async () => {
    expect(await ask(join(await scratchDirectory(), 'nothing'))).toBeUndefined()
    const home = await usedHome()
    expect(await ask(home)).toBeUndefined()
    const server = await start(home)
    await server.stop()
    expect(await ask(home)).toBeUndefined()
    await writeFile(layoutOf(home).lock, '{"pid": 999999999, "startedAt": null, "token": "gone"}\n')
    expect(await ask(home)).toBeUndefined()
  })

  test('that never answers is an error that names its process', async () => {
    const home = await usedHome()
    await writeFile(layoutOf(home).lock, `${JSON.stringify({ pid: process.pid, startedAt: null, token: 'me' })}\n`)
    await expect(ask(home, 200)).rejects.toThrow(`Process ${process.pid} holds`)
  })
})
