export type Attempt = { readonly response_code: number | null; readonly error: string | null }

/** A delivery as the history describes it. */
export type Delivery = {
  readonly id: string
  readonly endpoint_id: string
  readonly installation_id: string | null
  readonly event_id: string
  readonly state: string
  readonly reason: string | null
  readonly attempts: readonly Attempt[]
}
