/** What is asked for decides the text of a page's statement, so that each has its own plan and no condition is ever off. */
export type PageKind = {
  readonly mode: 'list' | 'sync'
  readonly audience: 'union' | 'company' | 'own'
  readonly filters: readonly Filter[]
}

export type Filter = 'company' | 'offering' | 'investor' | 'status'

/** Which values a text takes, in their order. */
export type Parameter = Filter | 'user' | 'after' | 'limit' | 'pii' | 'republished'

/** Writes a value's place in the text. */
export type Value = (name: Parameter) => string
