/** "15 s in all, 5 s to connect; at most 16 KiB of the answer is read, 1 KiB kept", and what follows from it. */
export type OutboundLimits = {
  readonly connectMs: number
  /** Until the answer's status is there. */
  readonly totalMs: number
  /** For the rest of an answer whose status is there. The status has said what matters. */
  readonly bodyMs: number
  readonly bodyBytesMax: number
  readonly keptBytesMax: number
  readonly headerBytesMax: number
  /** All bytes of one response: interim ones, headers, body and what stands around its chunks. */
  readonly responseBytesMax: number
  /** Responses with a status of 1xx before the real one. */
  readonly interimMax: number
  /** How long an unused socket stays open where the receiver does not say. Below the 5 s that many of them have. */
  readonly keepAliveMs: number
  /** A connection is given up at this age, so that a change in DNS takes effect and the address is judged again. */
  readonly connectionLifeMs: number
  readonly unusedConnectionMs: number
  /** Of all origins together. */
  readonly unusedConnectionsMax: number
  /** How often deadlines are looked at. */
  readonly tickMs: number
}

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
