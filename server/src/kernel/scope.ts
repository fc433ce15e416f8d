/** `action:resource`, as the specification writes scopes. Which ones exist is data, in the scope catalogue. */
export type Scope = `${'read' | 'write' | 'admin'}:${string}`
