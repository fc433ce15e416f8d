/** A minimal browser for forms without scripts: cookies, and the fields of the page. */
export async function allowCommandLine(
  address: string,
  person: { readonly email: string; readonly password: string },
  decision = 'allow',
) {
  const { origin, pathname, search } = new URL(address)
  const cookies = new Map<string, string>()
  const visit = async (url: string, fields?: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }
    const answer = await fetch(new URL(url, origin), { ...sent, headers: { cookie, origin }, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const text = await answer.text()
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    return { location: answer.headers.get('location') ?? '', text, csrf, status: answer.status }
  }
  const here = pathname + search
  const asked = await visit(here)
  const form = await visit(asked.location)
  await visit('/sign-in', { csrf: form.csrf, email: person.email, password: person.password, return_to: here })
  const page = await visit(here)
  const decided = await visit(here, { csrf: page.csrf, decision })
  await (await fetch(decided.location)).text()
  return { shown: page.text }
}
