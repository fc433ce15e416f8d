/**
 * RFC 4180: cells are separated by commas and lines end in CR LF. Every cell stands in quotes, with its own quotes doubled,
 * so that none of them depends on what is in it.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => `"${harmless(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

export type Cell = string | number | boolean | null

/**
 * What a spreadsheet would take for a formula, and run: people choose their own names. At the beginning of a cell, and
 * after whatever some spreadsheet begins a new one at, since which character that is depends on where it is opened. The
 * wide forms are what some of them read as the narrow ones.
 */
const FORMULA = /((?:^|[;,|\t\r\n])[ \u00a0\u3000"]*)(?=[=+\-@＝＋－＠])/g
const BLANK_FIRST = /^[\t\r\n]/

/** Whatever begins like a formula begins with an apostrophe instead, which spreadsheets take as "this is text". */
function harmless(cell: Cell): string {
  const text = (cell === null ? '' : String(cell)).replaceAll(FORMULA, "$1'")
  return BLANK_FIRST.test(text) ? `'${text}` : text
}
