/**
 * A cursor is a small list of scalars, sealed so that a client can neither read nor build a cursor. `kind` names the list that the
 * cursor is for; every other list rejects it. `version` names the format, so that a later release can still read cursors of this
 * format. `system/crypto` seals cursors.
 */
export type CursorValue = string | number | boolean | null
export type CursorKind = { readonly kind: string; readonly version: number }

export type CursorSealer = {
  seal(kind: CursorKind, values: readonly CursorValue[]): string
  /** Null unless this server sealed the cursor for this kind and version. */
  open(kind: CursorKind, cursor: string): readonly CursorValue[] | null
}
