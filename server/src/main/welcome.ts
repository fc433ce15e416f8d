import type { Role } from './arguments.ts'

type Facts = { readonly role: Role; readonly readyInMs: number; readonly dataDirectory: string | null }

/** What a person sees when everything runs. The curl line works when pasted. */
export function welcome(address: string, { role, readyInMs, dataDirectory }: Facts): string {
  const lines = [
    `API          ${address}`,
    // A process that only works serves nothing but its health.
    ...(role === 'worker' ? [] : [`Reference    ${address}/docs`]),
    `Readiness    ${address}/readyz`,
    `Data         ${dataDirectory ?? 'your PostgreSQL (DATABASE_URL)'}`,
  ]
  return `
Portico is ready (${(readyInMs / 1_000).toFixed(1)} s).

${lines.map((line) => `  ${line}`).join('\n')}

Try it:

  curl ${address}/healthz

Stop with Ctrl-C.

`
}
