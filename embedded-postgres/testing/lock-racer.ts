import { acquireLock } from '../lock.ts'

/** This program tries to take a lock when it gets a message, reports the result, and does not release the lock. */
const path = process.argv[2] ?? ''

// `on` instead of `once`: without a listener the channel would no longer keep this process alive.
process.on('message', () => {
  try {
    acquireLock(path)
    process.send?.('won')
  } catch {
    process.send?.('lost')
  }
})
process.send?.('ready')
