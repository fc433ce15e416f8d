import type { Socket } from 'node:net'

export type FloodWatch = {
  watch(socket: Socket): void
  /** Ends every socket that received more than the limit since the last look. */
  look(): void
}

/**
 * The limits on an answer count what the parser hands over. A status line or a chunk's extension that never ends is
 * not handed over at all, and would be read at the speed of the line until time is up.
 */
export function floodWatch(bytesMax: number): FloodWatch {
  const seen = new Map<Socket, number>()
  return {
    watch(socket) {
      seen.set(socket, socket.bytesRead)
      socket.once('close', () => seen.delete(socket))
    },
    look() {
      for (const [socket, before] of seen) {
        if (socket.bytesRead - before > bytesMax) socket.destroy(new Error('the answer does not end'))
        else seen.set(socket, socket.bytesRead)
      }
    },
  }
}
