import { randomBytes } from 'node:crypto'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inflate } from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

/**
 * Starts a real Chromium. A package contains it as an archive, with the shared libraries that a bare system lacks. We
 * unpack it once for each version and user. We do not use the package's `executablePath()`: when interrupted it leaves
 * an incomplete browser for every user, and it trusts any file in /tmp. We do not use the package's arguments either:
 * they turn web security off.
 *
 * All test files of a worker, which run one after the other, use one Chromium process: a start for each file would
 * double the time until its first page. `close()` closes the contexts that the file opened, with their cookies and
 * caches. The process ends with the worker.
 */
export async function launchBrowser(): Promise<Browser> {
  if (running === null || !(await running).isConnected()) running = startBrowser()
  const browser = await running
  const opened = new Set<BrowserContext>()
  const own: Pick<Browser, 'newContext' | 'close'> = {
    async newContext(options) {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(PATIENCE_MS)
      opened.add(context.once('close', () => opened.delete(context)))
      return context
    },
    async close() {
      await Promise.all([...opened].map((context) => context.close()))
    },
  }
  return Object.assign(Object.create(browser), own)
}

/** The Chromium process of this worker. Its test files run one after the other. */
let running: Promise<Browser> | null = null

async function startBrowser(): Promise<Browser> {
  const home = await unpackOnce()
  const libraries = join(home, 'al2023', 'lib')
  return chromium.launch({
    executablePath: join(home, 'chromium'),
    // Chromium's sandbox does not work as root. It is not needed, because the pages are our own.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: {
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      // The package's libraries are used after those that LD_LIBRARY_PATH already names, and before the system's.
      LD_LIBRARY_PATH: [process.env['LD_LIBRARY_PATH'], libraries].filter((path) => path).join(':'),
      FONTCONFIG_FILE: join(home, FONTS_FILE),
    },
  })
}

/** Shorter than a test's timeout, so that a failure names what the test waited for. */
const PATIENCE_MS = 60_000

/** The version of our unpacking code, so that no test uses a browser that an older checkout unpacked. */
const LAYOUT = 2

const FONTS_FILE = 'fonts.conf'

/**
 * This list replaces the package's own font list, which names other directories. Without a font, text has no height, so
 * pages show no text, and sometimes the browser crashes.
 */
const fontsIn = (directory: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(directory, 'fonts')}</dir>
  <cachedir>${join(directory, 'fonts-cache')}</cachedir>
</fontconfig>
`

async function unpackOnce(): Promise<string> {
  const packed = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')).replace(/build$/, '')
  const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as { version: string }
  const home = join(tmpdir(), `portico-chromium-${version}-${process.getuid?.() ?? 'user'}-${LAYOUT}`)
  if (await exists(home)) return home
  const draft = `${home}.${randomBytes(6).toString('hex')}`
  await mkdir(draft, { mode: 0o700 })
  await unpack(join(packed, 'bin'), draft)
  await writeFile(join(draft, FONTS_FILE), fontsIn(home))
  // If two test files unpack at the same time, the second copy is deleted.
  await rename(draft, home).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(home))) throw error
  })
  return home
}

/** The package unpacks into the directory for temporary files, which the environment names at that moment. */
async function unpack(from: string, into: string): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = into
  try {
    const parts = ['chromium.br', 'swiftshader.tar.br', 'fonts.tar.br', 'al2023.tar.br']
    await Promise.all(parts.map((name) => inflate(join(from, name))))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
