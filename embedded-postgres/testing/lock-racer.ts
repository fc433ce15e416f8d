import { acquireLock } from '../lock.ts'

/** A Node process that reaches for a lock when told to, says whether it got it, and holds it until it is let go. */
const path = process.argv[2] ?? ''

// On and not once: with its last listener gone the channel would no longer keep this process alive.
process.on('message', () => {
  try {
    acquireLock(path)
    process.send?.('won')
  } catch {
    process.send?.('lost')
  }
})
process.send?.('ready')
