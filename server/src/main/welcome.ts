/** What a person sees when everything runs. The curl line works when pasted. */
export function welcome(address: string, { ready, embedded }: { ready: string; embedded: string | null }): string {
  return `
Portico is ready (${ready}).

  API          ${address}
  Reference    ${address}/docs
  Readiness    ${address}/readyz
  Data         ${embedded ?? 'your PostgreSQL (DATABASE_URL)'}

Try it:

  curl ${address}/healthz

Stop with Ctrl-C.

`
}
