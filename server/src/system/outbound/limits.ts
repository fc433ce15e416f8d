/** "15 s in all, 5 s to connect; at most 16 KiB of the answer is read, 1 KiB kept", and limits that follow from it. */
export type OutboundLimits = {
  readonly connectMs: number
  /** Limit for the whole exchange. If it is reached after the status has arrived, the status is still the outcome. */
  readonly totalMs: number
  /** Limit for the rest of a response after its status, and never beyond `totalMs`. */
  readonly bodyMs: number
  readonly bodyBytesMax: number
  readonly keptBytesMax: number
  readonly headerBytesMax: number
  /** All bytes of one response: interim responses, headers, body and chunk framing. */
  readonly responseBytesMax: number
  /** How many 1xx responses may come before the final response. */
  readonly interimMax: number
  /** How long an unused socket stays open if the response has no Keep-Alive timeout. It is less than the 5 s that many receivers use. */
  readonly keepAliveMs: number
  /** An older connection carries no further request, so that a DNS change takes effect and the address is checked again. */
  readonly connectionLifeMs: number
  /** The longest Keep-Alive timeout that we accept from a receiver. */
  readonly unusedConnectionMs: number
  /** How many unused connections stay open, for all origins together. */
  readonly unusedConnectionsMax: number
  /** How often deadlines are checked. */
  readonly tickMs: number
}

/** How long a receiver of webhooks may take to respond (15 s), and how much of its response is read. */
export const OUTBOUND_LIMITS: OutboundLimits = {
  connectMs: 5_000,
  totalMs: 15_000,
  bodyMs: 2_000,
  bodyBytesMax: 16 * 1_024,
  keptBytesMax: 1_024,
  headerBytesMax: 16 * 1_024,
  responseBytesMax: 512 * 1_024,
  interimMax: 8,
  keepAliveMs: 4_000,
  connectionLifeMs: 60_000,
  unusedConnectionMs: 30_000,
  unusedConnectionsMax: 1_000,
  tickMs: 100,
}
