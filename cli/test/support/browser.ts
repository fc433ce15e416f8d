/** Signs the person in and submits the decision, like a minimal browser with cookies and without scripts. */
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
    const response = await fetch(new URL(url, origin), { ...sent, headers: { cookie, origin }, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    return { location: response.headers.get('location') ?? '', text, csrf, status: response.status }
  }
  const pagePath = pathname + search
  const signInRedirect = await visit(pagePath)
  const form = await visit(signInRedirect.location)
  await visit('/sign-in', { csrf: form.csrf, email: person.email, password: person.password, return_to: pagePath })
  const page = await visit(pagePath)
  const decisionResponse = await visit(pagePath, { csrf: page.csrf, decision })
  await (await fetch(decisionResponse.location)).text()
  return { shown: page.text }
}
