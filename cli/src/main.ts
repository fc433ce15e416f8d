import { run } from './run.ts'

// If the reader of a pipe closes it, as `head` does, the command ends without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

// If an older Node started this process (bin/portico.js), this process ends when that Node ends or is killed.
process.once('disconnect', () => process.exit())
process.channel?.unref()

process.exitCode = await run(process.argv.slice(2))
// Exits even if the command left a handle open, such as a keep-alive connection.
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit()
