/** Does what our pages need of a browser: stores cookies and fills in forms. Follows no redirects. */
export type TestBrowser = {
  readonly cookies: Map<string, string>
  open(path: string): Promise<Visit>
  /** Opens the page with the form, fills it in and sends it, hidden fields included. */
  submit(page: string, action: string, fields: Readonly<Record<string, string>>): Promise<Visit>
  send(path: string, init: RequestInit): Promise<Visit>
}

export type Visit = {
  readonly status: number
  readonly location: string | null
  readonly headers: Headers
  readonly text: string
}

export function testBrowser(origin: string): TestBrowser {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit): Promise<Visit> => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) keep(cookies, set)
    const text = await response.text()
    return { status: response.status, location: response.headers.get('location'), headers: response.headers, text }
  }
  const open = (path: string) => send(path, {})
  return {
    cookies,
    send,
    open,
    async submit(page, action, fields) {
      const { text } = await open(page)
      const body = new URLSearchParams({ ...hiddenFields(text), ...fields })
      return send(action, { method: 'POST', body, headers: { origin } })
    },
  }
}

function keep(cookies: Map<string, string>, set: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
  if (/;\s*max-age=0/i.test(set)) cookies.delete(name)
  else cookies.set(name, value)
}

const HIDDEN = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g

export function hiddenFields(page: string): Record<string, string> {
  return Object.fromEntries([...page.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}
