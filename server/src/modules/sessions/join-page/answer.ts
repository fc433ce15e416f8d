/** A page, or where to go instead. */
export type Answer =
  | {
      readonly status: 200 | 403 | 404 | 409
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly status: 303; readonly body: null; readonly headers: { readonly Location: string } }

export function away(location: string): Answer {
  return { status: 303, body: null, headers: { Location: location } }
}
