import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { REDIRECT_URI_CHARS_MAX, redirectUriProblem, rejectRedirectUris } from './redirect-uri.ts'

describe('a redirect URI may be registered:', () => {
  test.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com?next=%2Fhome',
    'https://app.example.com/callback?tenant=7&x=a%20b',
    'https://app.example.com:8443/callback',
    'https://app.example.com:80/callback',
    'http://localhost:443/callback',
    'https://app.example.com/callback?State=1&codes=2&x=code',
    'https://xn--bcher-kva.example/callback',
    'https://203.0.113.7/callback',
    'https://[2001:db8::1]/callback',
    'https://a.example/cb;v=1/(x)!$&,+=~_-.:@',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8080/callback',
    'http://[::1]/callback',
    'http://[::1]:3000',
    'http://localhost/callback',
    'http://localhost:3000/callback?x=1',
    'com.example.app:/oauth2redirect',
    'com.example.app://callback',
    'com.example.my-app:/',
    `https://a.example/${'x'.repeat(REDIRECT_URI_CHARS_MAX - 'https://a.example/'.length)}`,
  ])('%s', (uri) => {
    expect(redirectUriProblem(uri)).toBeNull()
  })
})

describe('a redirect URI must not be registered:', () => {
  test.each([
    ['nothing', ''],
    ['a relative one', '/callback'],
    ['one without a scheme', 'app.example.com/callback'],
    ['one that begins with two slashes', '//app.example.com/callback'],
    ['a fragment', 'https://app.example.com/callback#top'],
    ['an empty fragment', 'https://app.example.com/callback#'],
    ['a user', 'https://app@app.example.com/callback'],
    ['a user and a password', 'https://app:secret@app.example.com/callback'],
    ['an empty user', 'https://@app.example.com/callback'],
    ['a host that is really a user', 'http://127.0.0.1@evil.example/callback'],
    ['a host and port that are really a user and a password', 'http://127.0.0.1:80@evil.example/callback'],
    ['a user in a private-use scheme', 'com.example.app://user@host/callback'],
    ['a host that only begins like loopback', 'http://127.0.0.1.evil.example/callback'],
    ['a host that only begins like localhost', 'http://localhost.evil.example/callback'],
    ['localhost with a dot at its end', 'http://localhost./callback'],
    ['a host with a dot at its end', 'https://app.example.com./callback'],
    ['an IP address with a dot at its end', 'https://203.0.113.7./callback'],
    ['the default port of https', 'https://app.example.com:443/callback'],
    ['the default port of http', 'http://127.0.0.1:80/callback'],
    ['the default port of http on IPv6 loopback', 'http://[::1]:80'],
    ['a code', 'https://app.example.com/callback?code=stolen'],
    ['a state', 'https://app.example.com/callback?x=1&state=chosen'],
    ['an issuer', 'https://app.example.com/callback?iss=https://evil.example'],
    ['an error', 'https://app.example.com/callback?error'],
    ['an error’s description', 'https://app.example.com/callback?error_description='],
    ['a percent-encoded code', 'https://app.example.com/callback?%63ode=stolen'],
    ['a code behind a second question mark', 'https://app.example.com/callback?x=?&code=stolen'],
    ['a code in a private-use scheme', 'com.example.app:/callback?code=stolen'],
    ['http elsewhere', 'http://app.example.com/callback'],
    ['http in the local network', 'http://192.168.0.1/callback'],
    ['http on every address', 'http://0.0.0.0/callback'],
    ['another loopback address', 'http://127.0.0.2/callback'],
    ['loopback as one number', 'http://2130706433/callback'],
    ['loopback in hex', 'http://0x7f.0.0.1/callback'],
    ['loopback in octal', 'http://0177.0.0.1/callback'],
    ['loopback cut short', 'http://127.1/callback'],
    ['loopback with a dot spelled %2e', 'http://127%2e0.0.1/callback'],
    ['::1 written out', 'http://[0:0:0:0:0:0:0:1]/callback'],
    ['::1 with zeros', 'http://[::0001]/callback'],
    ['loopback inside IPv6', 'http://[::ffff:127.0.0.1]/callback'],
    ['a zone', 'http://[::1%25lo]/callback'],
    ['an unclosed bracket', 'http://[::1/callback'],
    ['a host in capitals', 'https://APP.example.com/callback'],
    ['a scheme in capitals', 'HTTPS://app.example.com/callback'],
    ['letters beyond ASCII in the host', 'https://bücher.example/callback'],
    ['a Cyrillic look-alike', 'https://аpp.example.com/callback'],
    ['full-width letters', 'https://ａpp.example.com/callback'],
    ['letters beyond ASCII in the path', 'https://app.example.com/zurück'],
    ['an encoded host', 'https://app%2eexample.com/callback'],
    ['no host', 'https:///callback'],
    ['one slash', 'https:/app.example.com/callback'],
    ['no slash', 'https:app.example.com/callback'],
    ['three slashes', 'https:////app.example.com/callback'],
    ['an empty port', 'https://app.example.com:/callback'],
    ['port 0', 'http://127.0.0.1:0/callback'],
    ['a port with zeros before it', 'http://127.0.0.1:0080/callback'],
    ['a port beyond the last', 'http://127.0.0.1:65536/callback'],
    ['a port that is not a number', 'http://127.0.0.1:http/callback'],
    ['a wildcard host', 'https://*.example.com/callback'],
    ['a wildcard path', 'https://app.example.com/*'],
    ['a wildcard port', 'http://127.0.0.1:*/callback'],
    ['a backslash', 'https://app.example.com\\@evil.example/callback'],
    ['a backslash as a slash', 'https:\\\\app.example.com/callback'],
    ['a space', 'https://app.example.com/call back'],
    ['a space before', ' https://app.example.com/callback'],
    ['a tab', 'https://app.exam\tple.com/callback'],
    ['a line break', 'https://app.example.com/callback\r\nSet-Cookie: a=b'],
    ['a null', 'https://app.example.com/\u0000'],
    ['a percent sign alone', 'https://app.example.com/100%'],
    ['broken percent-encoding', 'https://app.example.com/%zz'],
    ['quotation marks', 'https://app.example.com/"onclick'],
    ['angle brackets', 'https://app.example.com/<script>'],
    ['dot segments', 'https://app.example.com/a/../callback'],
    ['encoded dot segments', 'https://app.example.com/a/%2e%2E/callback'],
    ['a single dot', 'https://app.example.com/./callback'],
    ['a script', 'javascript:alert(1)'],
    ['a script that looks like a path', 'javascript:/x'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
    ['a private-use scheme without a domain', 'myapp:/callback'],
    ['a private-use scheme in capitals', 'COM.example.app:/callback'],
    ['a private-use scheme without a path', 'com.example.app:callback'],
    ['a private-use scheme with an empty label', 'com..app:/callback'],
    ['a private-use scheme that ends in a dot', 'com.:/callback'],
    ['out of band', 'urn:ietf:wg:oauth:2.0:oob'],
    ['one that is too long', `https://a.example/${'x'.repeat(REDIRECT_URI_CHARS_MAX)}`],
  ])('%s', (_, uri) => {
    expect(redirectUriProblem(uri)).toMatchObject({ message: expect.any(String) })
  })
})

describe('a list of redirect URIs', () => {
  const refusal = (uris: readonly string[]): unknown => {
    try {
      rejectRedirectUris(uris)
      return null
    } catch (error) {
      return error instanceof ApiError ? error.details?.['fields'] : error
    }
  }

  test('is rejected with the position of every bad or repeated URI', () => {
    const uris = ['https://a.example/cb', 'http://a.example/cb', 'https://a.example/cb']
    expect(refusal(uris)).toMatchObject([
      { field: 'redirect_uris[1]', code: 'invalid_format' },
      { field: 'redirect_uris[2]', code: 'duplicate' },
    ])
  })

  test('may be empty, and may have 20 items at most', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}`)
    expect(refusal([])).toBeNull()
    expect(refusal(many(20))).toBeNull()
    expect(refusal(many(21))).toMatchObject([{ field: 'redirect_uris', code: 'too_long' }])
  })
})
