import { acquireLock } from '../lock.ts'

/** A Node process that tries to take a lock on command, reports whether it got it, and holds it until the next command. */
const path = process.argv[2] ?? ''

// `on` and not `once`: without a listener the channel would no longer keep this process alive.
process.on('message', () => {
  try {
    acquireLock(path)
    process.send?.('won')
  } catch {
    process.send?.('lost')
  }
})
process.send?.('ready')
