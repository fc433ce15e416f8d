/** Why the service did not start, in a sentence for the person who typed the command; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
