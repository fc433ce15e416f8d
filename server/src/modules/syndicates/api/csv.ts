/**
 * RFC 4180: cells are separated by commas, lines end in CR LF, and a cell that has a comma, a quote or a line break in it
 * stands in quotes, with its own quotes doubled.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`
}

export type Cell = string | number | boolean | null

/**
 * What a spreadsheet would take for a formula, and run: people choose their own names. The wide forms are what some
 * spreadsheets read as the narrow ones.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Whatever begins like a formula begins with an apostrophe instead, which spreadsheets take as "this is text". */
function harmless(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  return FORMULA.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
