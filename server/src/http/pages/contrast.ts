/** A colour as everything here keeps it: `#` and six hexadecimal digits in lower case. */
export const COLOUR_PATTERN = '^#[0-9A-Fa-f]{6}$'

type Channels = readonly [red: number, green: number, blue: number]

function channelsOf(colour: string): Channels {
  const number = Number.parseInt(colour.slice(1), 16)
  return [number >> 16, (number >> 8) & 0xff, number & 0xff]
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, "contrast ratio": from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

export const isDark = (colour: string): boolean => luminance(colour) < 0.18

/** So much of the first colour, and the rest of the second. */
export function mixed(one: string, other: string, share: number): string {
  const [first, second] = [channelsOf(one), channelsOf(other)]
  const blend = (at: 0 | 1 | 2) => Math.round(first[at] * share + second[at] * (1 - share))
  return `#${[blend(0), blend(1), blend(2)].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
