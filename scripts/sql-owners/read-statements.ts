import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allFragments, allStatements } from '../../server/src/system/postgres/statement.ts'
import { moduleOf } from '../borders/districts.ts'

export type OwnedStatement = { readonly name: string; readonly text: string; readonly owner: string }

const ROOT = join(import.meta.dirname, '../..')
/** The files with SQL: the stores, and the files of the layer that runs statements. */
const STORES = ['{server/src,demo}/**/{store,*-store}.ts', 'server/src/system/postgres/*.ts']
const STATEMENT_NAME = /(?:tatement|sqlFragment)(?:<[^()]*>)?\(\s*['"`]([a-z_]+)\./g

/** The owner of a store: its module, or its layer if it is outside of modules. */
const ownerOf = (store: string) => moduleOf(store) ?? store.replace(/^server\/src\//, '').split('/')[0] ?? store

/**
 * Every statement and SQL fragment of every store, with its module. They are registered when a store is loaded. The
 * first word of a statement's name decides its module, because only the stores of one module may use that word.
 */
export async function readStatements(): Promise<{
  statements: readonly OwnedStatement[]
  fragments: readonly OwnedStatement[]
  problems: readonly string[]
}> {
  const owners = new Map<string, Set<string>>()
  for await (const store of glob(STORES, { cwd: ROOT, exclude: ['**/*.test.ts', '**/node_modules/**'] })) {
    await import(join(ROOT, store))
    const text = await readFile(join(ROOT, store), 'utf8')
    for (const [, word = ''] of text.matchAll(STATEMENT_NAME)) {
      owners.set(word, (owners.get(word) ?? new Set()).add(ownerOf(store)))
    }
  }
  const shared = [...owners].filter(([, modules]) => modules.size > 1)
  const problems = shared.map(([word, modules]) => `statements named ${word}.… are in ${[...modules].join(' and ')}`)
  const owned = ({ name, text }: { readonly name: string; readonly text: string }): OwnedStatement => {
    const [owner = 'no module'] = owners.get(name.split('.')[0] ?? '') ?? []
    return { name, text, owner }
  }
  return { statements: allStatements().map(owned), fragments: allFragments().map(owned), problems }
}
