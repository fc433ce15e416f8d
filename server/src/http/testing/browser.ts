/** A simple browser for pages without scripts. It stores cookies, follows no redirect, and fills in forms. */
export type TestBrowser = {
  /** The cookies, by name. */
  readonly cookies: Map<string, string>
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<SeenPage>
  /**
   * Sends a form as our own pages do. The form has the CSRF token of the last page that had one, unless `fields` has a
   * token.
   */
  submit(path: string, fields: FormFields, headers?: Readonly<Record<string, string>>): Promise<SeenPage>
}

export type FormFields = Readonly<Record<string, string | readonly string[]>>

export type SeenPage = {
  readonly status: number
  readonly headers: Headers
  readonly location: string | null
  readonly text: string
}

const CSRF = /name="csrf" value="([^"]+)"/

export function testBrowser(origin: string): TestBrowser {
  const cookies = new Map<string, string>()
  let csrf = ''

  async function visit(path: string, init: RequestInit): Promise<SeenPage> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(origin + path, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) storeCookie(cookies, cookie)
    const text = await response.text()
    csrf = CSRF.exec(text)?.[1] ?? csrf
    return { status: response.status, headers: response.headers, location: response.headers.get('location'), text }
  }

  return {
    cookies,
    open: (path, headers = {}) => visit(path, { headers }),
    submit: (path, fields, headers = {}) => {
      const body = new URLSearchParams()
      for (const [name, all] of Object.entries({ csrf, ...fields })) {
        for (const value of [all].flat()) body.append(name, value)
      }
      return visit(path, { method: 'POST', body, headers: { origin, 'sec-fetch-site': 'same-origin', ...headers } })
    },
  }
}

function storeCookie(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split('; ')
  const [name = '', value = ''] = pair.split('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, value)
}
