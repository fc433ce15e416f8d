/** What a browser says of why it asks. Browsers that say nothing are believed: they are old, and so are scripts. */
export type Asking = {
  readonly isHead: boolean
  readonly dest: string | undefined
  /** Of Sec-Purpose, and of Purpose and X-Moz, by which older browsers say the same. */
  readonly purposes: readonly (string | undefined)[]
}

const AHEAD = /\b(prefetch|prerender|preview)\b/i

/**
 * A click is somebody opening the page. A picture or frame on somebody else's page, a browser that fetches ahead, or a
 * program that asks whether the page is there (HEAD), is none: codes could be stuffed into people's browsers without their
 * ever seeing the link.
 */
export function isNavigation({ isHead, dest, purposes }: Asking): boolean {
  return (
    !isHead && (dest === undefined || dest === 'document') && !purposes.some((purpose) => AHEAD.test(purpose ?? ''))
  )
}
