import type { Route } from '#http/route.ts'
import type { Line, Lines } from './line.ts'
import { PARTNER_LINES } from './partner-lines.ts'
import { PLATFORM_LINES } from './platform-lines.ts'
import { SANDBOX_LINES } from './sandbox-lines.ts'

/** Every operation that accepts a bearer token, as in the specification. */
export const LINES: Lines = { ...PARTNER_LINES, ...PLATFORM_LINES, ...SANDBOX_LINES }

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

export function lineOf(name: string): Line {
  const line = LINES[name]
  if (line === undefined) throw new Error(`the specification’s table has no line for ${name}`)
  return line
}
