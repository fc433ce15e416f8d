import { openBrowser } from '../browser.ts'
import { COMMON_OPTIONS, type Command, command } from '../command.ts'
import { usageFailure } from '../failure.ts'

const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  docs: '/docs',
  status: '/status',
  settings: '/settings',
  organizations: '/settings/organizations',
  mail: '/demo/mail',
}

const openCommand = command({
  name: 'open',
  summary: 'open a page of the service in the browser',
  usage: '[PLACE]',
  about: `Opens a page in the browser and prints its address: ${[...Object.keys(PAGES), 'install'].join(', ')}. In a pipe it only prints the address.`,
  options: {},
  examples: ['portico open docs', 'portico open install'],
  words: { min: 0, max: 1 },
  offers: [...Object.keys(PAGES), 'install'],
  run: async ({ words: [place = 'home'], printer, environment, connect }) => {
    const connection = await connect()
    const path = place === 'install' ? `/apps/${connection.serverKey().clientId}/install` : PAGES[place]
    if (path === undefined)
      throw usageFailure(`There is no page "${place}".`, `It is one of: ${Object.keys(PAGES).join(', ')}, install.`)
    const url = `${connection.baseUrl}${path}`
    if (printer.json) printer.document({ url })
    else printer.line(url)
    if (printer.onTerminal) openBrowser(url, environment.browser)
    return undefined
  },
})

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `commands` is a function, because the table contains this command too. */
export const shellCommands = (commands: () => readonly Command[]): readonly Command[] => [
  openCommand,
  command({
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    usage: 'SHELL',
    about: 'Prints a script that completes commands, options and events. Load it in the start file of the shell.',
    options: {},
    examples: [
      'portico completion bash >> ~/.bashrc',
      'portico completion zsh >> ~/.zshrc',
      'portico completion fish > ~/.config/fish/completions/portico.fish',
    ],
    words: { min: 1, max: 1 },
    offers: SHELLS,
    run: async ({ words: [shell = ''], printer }) => {
      const knownShell = SHELLS.find((name) => name === shell)
      if (knownShell === undefined)
        throw usageFailure(`There is no completion for "${shell}".`, `It is one of: ${SHELLS.join(', ')}.`)
      printer.raw(
        knownShell === 'fish'
          ? fishScript(commands())
          : knownShell === 'zsh'
            ? zshScript(commands())
            : bashScript(commands()),
      )
      return undefined
    },
  }),
]

/**
 * For each beginning of a command line, the words that can follow: the second words of a group, the words that the
 * command offers, and its options.
 */
function wordsAfter(commands: readonly Command[]): readonly (readonly [typed: string, words: readonly string[]])[] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const groups = firsts.map((first) => {
    const seconds = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
    const own = commands.find(({ name }) => name === first)
    return [first, [...seconds, ...(own === undefined ? [] : offeredBy(own))]] as const
  })
  const pairs = commands.filter(({ name }) => name.includes(' ')).map((one) => [one.name, offeredBy(one)] as const)
  return [['', firsts], ...groups, ...pairs]
}

function offeredBy({ offers = [], options }: Command): readonly string[] {
  return [...offers, ...Object.keys({ ...options, ...COMMON_OPTIONS }).map((name) => `--${name}`)]
}

function bashScript(commands: readonly Command[]): string {
  const cases = wordsAfter(commands).map(([typed, words]) => `    '${typed}') words='${words.join(' ')}' ;;`)
  return `# bash completion of portico
_portico() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed='' words='' index
  for ((index = 1; index < COMP_CWORD && index < 3; index++)); do
    [[ "\${COMP_WORDS[index]}" == -* ]] && break
    case "$typed \${COMP_WORDS[index]}" in
${commands
  .filter(({ name }) => name.includes(' '))
  .map(({ name }) => `      '${name}') ;;`)
  .join('\n')}
      ' '*) ;;
      *) break ;;
    esac
    typed="\${typed:+$typed }\${COMP_WORDS[index]}"
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _portico portico
`
}

function zshScript(commands: readonly Command[]): string {
  return `autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`
}

function fishScript(commands: readonly Command[]): string {
  const lines = wordsAfter(commands).flatMap(([typed, words]) => {
    const when = typed === '' ? '__fish_use_subcommand' : `string match -q -- 'portico ${typed} *' (commandline -cp)`
    return `complete -c portico -f -n "${when}" -a '${words.join(' ')}'`
  })
  return `# fish completion of portico\n${lines.join('\n')}\n`
}
