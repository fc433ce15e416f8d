import type { CursorSealer } from '#kernel/cursor.ts'

export type ProfileRouteDeps = {
  readonly cursors: CursorSealer
  /** Our public address, where the pages and pictures are that are kept as a path. */
  readonly origin: () => string
}
