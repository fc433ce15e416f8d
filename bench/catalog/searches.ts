import { companyName } from './fill.ts'

/**
 * Texts of searches, in equal parts: whole names, prefixes of 2 to 10 characters, typing errors, two words of a name in the
 * wrong order, and unknown names.
 */
export function searches(count: number, companies: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const name = companyName(1 + ((at * 7919) % companies))
    switch (at % 5) {
      case 0:
        return name
      case 1:
        return name.slice(0, 2 + (at % 9))
      case 2:
        return swapped(name, 2 + (at % 6))
      case 3:
        return name.split(' ').slice(1, 3).reverse().join(' ')
      default:
        return `${at.toString(36)}zq ${name.slice(3, 5)}`
    }
  })
}

function swapped(text: string, at: number): string {
  return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
}
