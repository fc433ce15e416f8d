/** Letters that do not come apart into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', đ: 'd' }

/** `Zofia Zieliński` to `zofia.zielinski`. */
export function emailName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[łøıßæđ]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z]+/g, '.')
}
