import { run } from './run.ts'

// A reader that closes its end, such as head, ends the command without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

// Started by an older Node (bin/portico.js), it ends with it, also when that one is killed.
process.once('disconnect', () => process.exit())
process.channel?.unref()

process.exitCode = await run(process.argv.slice(2))
// What a command left open, such as a connection that is kept alive, does not hold the process back.
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit()
