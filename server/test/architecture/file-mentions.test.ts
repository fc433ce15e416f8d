import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const SKIPPED = ['**/node_modules/**', 'CHANGELOG.md', '.portico/**', 'clients-test/**']
const FILES = globSync('**/*.{ts,js,mjs,json,sql,md,css}', { cwd: ROOT, exclude: SKIPPED })
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: ROOT, exclude: SKIPPED })

/**
 * A file named in backticks: `publish-records.ts`, `events/store.ts`. A name with a variable part does not name a file.
 */
const MENTION = /`([\w/-][\w./-]*\.(?:ts|sql))`/g

/** Files that guides name, but that belong to the reader's own project. */
const THEIRS = new Set(['connect.ts', 'first.ts', 'install.ts', 'join-session.ts', 'receiver.ts', 'token.ts'])

/** Decisions describe the time when they were made. Files that they name may no longer exist. */
const isDecision = (document: string) => /^docs\/decisions\/\d{4}-/.test(document)

test.each(DOCUMENTS.filter((document) => !isDecision(document)))('%s names only existing files', (document) => {
  const named = [...readFileSync(join(ROOT, document), 'utf8').matchAll(MENTION)].map(([, name = '']) => name)
  const isThere = (name: string) => THEIRS.has(name) || FILES.some((file) => file === name || file.endsWith(`/${name}`))
  expect([...new Set(named)].filter((name) => !isThere(name))).toEqual([])
})
