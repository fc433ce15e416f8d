/** What everybody sees alike, kept for as long as nothing in the catalogue has changed. */
export type KeptAnswers<Answer> = {
  /** The answer under this name if it was read under this revision, else whatever `read` gives, which is kept. */
  get(name: string, revision: string, read: () => Promise<Answer>): Promise<Answer>
}

/**
 * `revision` was looked up before the answer is read: what is kept under it is at least as new, and once anything newer has
 * been committed no one asks for it under this revision again. What is not there is not kept, or whoever asks for what
 * cannot be would push out what can. Those asked for longest ago make room.
 */
export function keptAnswers<Answer>(most: number): KeptAnswers<Answer> {
  const kept = new Map<string, { readonly revision: string; readonly answer: Promise<Answer> }>()
  return {
    get(name, revision, read) {
      const known = kept.get(name)
      // Whoever asks while the answer is being read waits for the same reading.
      const entry = known?.revision === revision ? known : { revision, answer: read() }
      // Who was asked for last matters only where somebody will have to make room.
      if (entry === known && kept.size < most) return entry.answer
      kept.delete(name)
      kept.set(name, entry)
      if (entry !== known) {
        const forget = () => kept.get(name) === entry && kept.delete(name)
        entry.answer.then((answer) => answer === null && forget(), forget)
      }
      const [oldest] = kept.size > most ? kept.keys() : []
      if (oldest !== undefined) kept.delete(oldest)
      return entry.answer
    },
  }
}
