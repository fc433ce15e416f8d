/**
 * Many rows in one statement, each column one text: its values joined by a character that neither ids nor times nor JSON contain.
 * No array and no JSON of hundreds of JSON texts has to be escaped here and unescaped there, which takes longer than storing
 * them does. What is empty is null.
 */
const JOINT = '\u0001'

export function joined(values: readonly (string | number | boolean | null)[]): string {
  return values.join(JOINT)
}

/** The column at this place among a statement's values, as an array. */
export function joinedColumn(place: number, type: string): string {
  return `string_to_array($${place}, e'\\x01', '')::${type}[]`
}
