import { SDK_VERSION } from '@portico/sdk'

const HELP = `Usage: portico COMMAND [OPTIONS]

The command line of the Portico API (SDK ${SDK_VERSION}).

  --help   print this

Examples:

  portico --help
`

process.stdout.write(HELP)
