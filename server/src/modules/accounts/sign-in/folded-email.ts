/**
 * An address as the database compares them: ASCII letters folded, no others, because that is what `lower` does under
 * collation "C". A phone's keyboard likes to add a space at the end, which no address of ours has.
 */
export function foldedEmail(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
