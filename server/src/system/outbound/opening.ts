import type { Socket } from 'node:net'

/** A connection on its way: name, connection, handshake. Given up, it is closed wherever it is, and nothing more is tried. */
export class Opening {
  isStopped = false
  #socket: Socket | null = null

  /** `dial` is not called any more where it was given up. */
  begin(dial: () => Socket): Socket {
    if (this.isStopped) throw new Error('given up')
    this.#socket = dial()
    return this.#socket
  }

  stop(): void {
    this.isStopped = true
    this.#socket?.destroy()
  }
}
