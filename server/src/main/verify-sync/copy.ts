import { type Api, askForPage, type Row } from './ask.ts'

/** What a partner keeps: the records as they came, and the cursor. */
export type Copy = {
  readonly records: Map<string, string>
  readonly seen: { pages: number; changes: number; tombstones: number; listings: number }
  cursor: string | null
}

export function emptyCopy(): Copy {
  return { records: new Map(), seen: { pages: 0, changes: 0, tombstones: 0, listings: 0 }, cursor: null }
}

/** Lists if there is no cursor yet or it is too old, then applies what changed until there is no more. */
export async function bringUpToDate(api: Api, copy: Copy): Promise<void> {
  for (;;) {
    if (copy.cursor === null) {
      copy.records.clear()
      copy.seen.listings += 1
    }
    const page = await askForPage(api, copy.cursor)
    if (page === null) {
      copy.cursor = null
      continue
    }
    copy.seen.pages += 1
    for (const row of page.data) apply(copy, row, page.meta.mode === 'delta')
    copy.cursor = page.meta.next_cursor
    if (!page.meta.has_more && page.meta.mode === 'delta') return
  }
}

/** A tombstone is a row that says no more than that it is gone: it has no status. One's own hidden record has one. */
function apply({ records, seen }: Copy, row: Row, isChange: boolean): void {
  const { cursor: _cursor, reason: _reason, ...record } = row
  if (isChange) seen.changes += 1
  if ('status' in record) records.set(row.id, inOrder(record))
  else {
    seen.tombstones += 1
    records.delete(row.id)
  }
}

/** The order of fields says nothing. */
function inOrder(record: object): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** The ids of which the two say different things. */
export function differing(a: Copy, b: Copy): Set<string> {
  const ids = new Set([...a.records.keys(), ...b.records.keys()])
  return new Set([...ids].filter((id) => a.records.get(id) !== b.records.get(id)))
}
