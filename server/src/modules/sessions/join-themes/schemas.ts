import { type Static, Type } from 'typebox'
import { COLOUR_PATTERN } from '#http/pages/contrast.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import { exactly, idOf, oneOf, time } from '../join-api/fields.ts'
import { CORNERS } from '../join-session.ts'
import type { JoinTheme } from './theme-store.ts'

const NAME_CHARS_MAX = 100

const Colour = (description: string) => Type.String({ pattern: COLOUR_PATTERN, description })

const LOOKS = {
  accent: Colour('What can be pressed. A contrast of at least 4.5:1 to paper.'),
  paper: Colour('What is written on.'),
  ink: Colour('What is written. A contrast of at least 7:1 to paper.'),
  corners: oneOf(CORNERS),
}

/** What a session may change of the theme it pins, and what a theme may leave out. */
export const LOOKS_OPTIONAL = {
  accent: Type.Optional(LOOKS.accent),
  paper: Type.Optional(LOOKS.paper),
  ink: Type.Optional(LOOKS.ink),
  corners: Type.Optional(LOOKS.corners),
}

const Name = Type.String({
  minLength: 1,
  maxLength: NAME_CHARS_MAX,
  pattern: LINE_PATTERN,
  description: 'For yourselves: nobody who joins sees it.',
})

export const NewTheme = exactly({ name: Name, ...LOOKS_OPTIONAL }, 'NewJoinTheme')
export const ThemeChange = exactly({ name: Type.Optional(Name), ...LOOKS_OPTIONAL }, 'JoinThemeChange')

export const ThemeSchema = exactly(
  {
    id: idOf('joinTheme'),
    type: Type.Literal('join_theme'),
    attributes: exactly({
      syndicate: idOf('syndicate'),
      name: Type.String(),
      version: Type.Integer({ minimum: 1, description: 'A version never changes: a change is the next one.' }),
      ...LOOKS,
      created_at: time(),
    }),
  },
  'JoinTheme',
)

export const OneTheme = exactly({ data: ThemeSchema }, 'JoinThemeEnvelope')

export function themeRecord(theme: JoinTheme, syndicate: Static<typeof ThemeSchema>['attributes']['syndicate']) {
  const { id, created_at, name, version, accent, paper, ink, corners } = theme
  const attributes = { syndicate, name, version, accent, paper, ink, corners, created_at }
  return { id, type: 'join_theme', attributes } satisfies Static<typeof ThemeSchema>
}
