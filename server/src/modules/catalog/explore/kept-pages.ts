/** Pages everybody sees alike, of one world each, kept for as long as nothing in the catalogue has changed. */
export type KeptPages<Page> = {
  /** The page under this name if it was read under this revision, else whatever `read` gives, which is kept. */
  get(name: string, revision: string, read: () => Promise<Page>): Promise<Page>
}

/**
 * `revision` was looked up before the page is read: what is kept under it is at least as new, and once anything newer has
 * been committed no one asks for it under this revision again. Those asked for longest ago make room.
 */
export function keptPages<Page>(most: number): KeptPages<Page> {
  const kept = new Map<string, { readonly revision: string; readonly page: Promise<Page> }>()
  return {
    get(name, revision, read) {
      const known = kept.get(name)
      kept.delete(name)
      // Whoever asks while the page is being read waits for the same reading.
      const entry = known?.revision === revision ? known : { revision, page: read() }
      kept.set(name, entry)
      entry.page.catch(() => kept.get(name) === entry && kept.delete(name))
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return entry.page
    },
  }
}
