/** What is asked for decides the text of a page's statement, so that each has its own plan and no condition is ever off. */
export type PageKind = {
  readonly mode: 'list' | 'sync'
  readonly audience: 'union' | 'company' | 'own'
  readonly filters: readonly Filter[]
  /**
   * Whether other investors are shown by name. A sync without names goes by the positions of changes that can be seen
   * without them. A listing takes it as a value: its order is the same for both.
   */
  readonly named: boolean
}

export type Filter = 'company' | 'offering' | 'investor' | 'status'

/** Which values a text takes, in their order. */
export type Parameter = Filter | 'user' | 'after' | 'limit' | 'pii' | 'republished'

/** Writes a value's place in the text. */
export type Value = (name: Parameter) => string
