/** What a page may know of the browser that asked for it. */
export type Browser = {
  /** Proves that a form came from a page of ours in this very browser; goes into its hidden field `csrf`. */
  readonly csrf: string
  /** Null while the browser has brought no cookie. */
  readonly cookieValue: string | null
  /** The Set-Cookie header that gives this browser another value, or takes its cookie away. */
  setCookie(value: string | null): string
}
