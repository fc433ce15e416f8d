import type { Exchange } from './exchange.ts'

type Heeded = { readonly exchanges: Set<Exchange>; readonly abandon: () => void }

/**
 * Who is given up when a signal says so. One listener for all that share a signal: to add one for each, and to take it away
 * again from among hundreds, costs more than all else that is done for a request here. None stays on a signal that nobody
 * waits with any more.
 */
export class HeededSignals {
  readonly #heeded = new Map<AbortSignal, Heeded>()

  add(exchange: Exchange, signal: AbortSignal): void {
    const heeded = this.#heeded.get(signal) ?? this.#heed(signal)
    heeded.exchanges.add(exchange)
  }

  delete(exchange: Exchange, signal: AbortSignal): void {
    const heeded = this.#heeded.get(signal)
    if (heeded === undefined || !heeded.exchanges.delete(exchange) || heeded.exchanges.size > 0) return
    this.#heeded.delete(signal)
    signal.removeEventListener('abort', heeded.abandon)
  }

  #heed(signal: AbortSignal): Heeded {
    const exchanges = new Set<Exchange>()
    const abandon = () => {
      for (const exchange of exchanges) exchange.abandon(signal.reason)
    }
    const heeded = { exchanges, abandon }
    this.#heeded.set(signal, heeded)
    signal.addEventListener('abort', abandon)
    return heeded
  }
}
