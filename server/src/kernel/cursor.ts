/**
 * A cursor is a small list of scalars, sealed so that a client can neither read nor build one. `kind` names the list
 * it belongs to (a cursor of one list is rejected by another) and `version` its format, so that the next format can
 * still read this one. Sealing itself needs keys and lives in `system/crypto`.
 */
export type CursorValue = string | number | boolean | null
export type CursorKind = { readonly kind: string; readonly version: number }

export type CursorSealer = {
  seal(kind: CursorKind, values: readonly CursorValue[]): string
  /** Null for anything that this server did not seal for this kind and version, down to the last bit. */
  open(kind: CursorKind, cursor: string): readonly CursorValue[] | null
}
