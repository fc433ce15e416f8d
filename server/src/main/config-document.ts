import { SETTINGS } from './config.ts'

/** The text of docs/configuration.md. */
export function configDocument(): string {
  const rows = Object.values(SETTINGS).map(({ key, type, default: fallback, why }) => {
    const shown = fallback === null || (Array.isArray(fallback) && fallback.length === 0) ? 'none' : `\`${fallback}\``
    return `| \`${key}\` | ${type.allowed} | ${shown} | ${why} |`
  })
  return `# Configuration

Settings are environment variables, read once at the start. A value that is not acceptable stops the start with exit
code 2 and a sentence that names the key, the value and what is allowed.

| setting | must be | default | why it exists |
|---|---|---|---|
${rows.join('\n')}

Arguments of \`npm start --\`:

| argument | meaning |
|---|---|
| \`--role api\\|worker\\|all\` | What this process does (default \`all\`: the API, and the workers in a thread of their own). |
| \`--reset\` | Throw away the embedded database and start with an empty one. Refused with DATABASE_URL. |
| \`--help\` | Print what it does, with examples. |

<!-- Generated from server/src/main/config.ts by \`npm run generate\`; do not edit. -->
`
}
