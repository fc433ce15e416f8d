import { createHash } from 'node:crypto'
import { type FieldError, validationError } from '#kernel/errors.ts'
import { contrast, isDark, mixed } from '#pages/platform-brand.ts'
import type { Appearance } from '../join-session-states.ts'

/** Values of a theme, or a session's changes to one. */
export type AppearanceChange = { readonly [K in keyof Appearance]?: Appearance[K] | undefined }

const TEXT_CONTRAST_MIN = 7
const ACCENT_CONTRAST_MIN = 4.5

/**
 * A theme must not make the form unreadable. So text needs the contrast of WCAG's level AAA, and buttons the contrast of level AA; all
 * other colours are derived from accent, paper and ink. `at` is a prefix for the field names in the error.
 */
export function rejectUnreadable({ accent, paper, ink }: Appearance, at: string): void {
  const tooLow = (field: string, needed: number, found: number): FieldError => ({
    field: `${at}${field}`,
    code: 'low_contrast',
    message: `must have a contrast of at least ${needed}:1 to paper, but has ${found.toFixed(2)}:1`,
  })
  const [ofInk, ofAccent] = [contrast(ink, paper), contrast(accent, paper)]
  const problems = [
    ...(ofInk < TEXT_CONTRAST_MIN ? [tooLow('ink', TEXT_CONTRAST_MIN, ofInk)] : []),
    ...(ofAccent < ACCENT_CONTRAST_MIN ? [tooLow('accent', ACCENT_CONTRAST_MIN, ofAccent)] : []),
  ]
  if (problems.length > 0) throw validationError(problems)
}

/** The stored form: colours in lower case, so that `#0F5A43` and `#0f5a43` are equal. */
export function normalised<A extends AppearanceChange>({ accent, paper, ink, corners }: A): AppearanceChange {
  return {
    ...(accent === undefined ? {} : { accent: accent.toLowerCase() }),
    ...(corners === undefined ? {} : { corners }),
    ...(ink === undefined ? {} : { ink: ink.toLowerCase() }),
    ...(paper === undefined ? {} : { paper: paper.toLowerCase() }),
  }
}

export type Overridden = { readonly appearance: Appearance; readonly fingerprint: string | null }

/**
 * The appearance of a session, and a fingerprint of its changes to the pinned theme: SHA-256 of the changes as JSON, sorted by
 * name. A value equal to the theme's is not a change. Without changes the fingerprint is null.
 */
export function overridden(theme: Appearance, overrides: AppearanceChange): Overridden {
  const entries = Object.entries(normalised(overrides)).filter(([name, value]) => Reflect.get(theme, name) !== value)
  if (entries.length === 0) return { appearance: theme, fingerprint: null }
  const changes = Object.fromEntries(entries) as AppearanceChange
  const fingerprint = createHash('sha256').update(JSON.stringify(changes)).digest('hex')
  return { appearance: withChanges(theme, changes), fingerprint }
}

export function withChanges(before: Appearance, change: AppearanceChange): Appearance {
  const { accent = before.accent, paper = before.paper, ink = before.ink, corners = before.corners } = change
  return { accent, paper, ink, corners }
}

const RADIUS: Readonly<Record<Appearance['corners'], string>> = { square: '0', rounded: '6px', round: '16px' }
const [BLACK, WHITE] = ['#000000', '#ffffff']

/** The variables of our style sheet in these colours. Text on a button is black or white, whichever has more contrast. */
export function themeStyle({ accent, paper, ink, corners }: Appearance): string {
  const softened = mixed(ink, paper, 0.8)
  const values = {
    ink,
    muted: contrast(softened, paper) >= ACCENT_CONTRAST_MIN ? softened : ink,
    ground: paper,
    paper,
    raised: mixed(ink, paper, 0.06),
    line: mixed(ink, paper, 0.18),
    edge: mixed(ink, paper, 0.6),
    accent,
    'accent-strong': accent,
    'on-accent': contrast(WHITE, accent) >= contrast(BLACK, accent) ? WHITE : BLACK,
    radius: RADIUS[corners],
    shadow: 'none',
  }
  const lines = Object.entries(values).map(([name, value]) => `  --${name}: ${value};\n`)
  return `:root {\n${lines.join('')}  color-scheme: ${isDark(paper) ? 'dark' : 'light'};\n}\n`
}
