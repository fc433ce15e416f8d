import { describe, expect, test } from 'vitest'
import { type AddressPolicy, addressRanges, PUBLIC_ONLY } from './address.ts'
import { judgeUrl, URL_CHARS_MAX, type UrlRefusal } from './judge-url.ts'

const WITH_LOOPBACK: AddressPolicy = { loopback: true, ranges: [] }

function whyNot(url: string, addressPolicy: AddressPolicy = PUBLIC_ONLY): UrlRefusal | null {
  const verdict = judgeUrl(url, addressPolicy)
  return verdict.allowed ? null : verdict.why
}

describe('a URL that may be registered', () => {
  test.each([
    'https://hooks.partner.example/portico',
    'https://hooks.partner.example',
    'HTTPS://Hooks.Partner.Example/a?b=c&d=%20',
    'https://hooks.partner.example:443/',
    'https://hooks.partner.example:8443/',
    'https://hooks.partner.example:1024/',
    'https://my_service.partner.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/',
    'https://例え.テスト.example/',
    'https://xn--bcher-kva.example/',
    'https://partner.example/@name',
    'https://partner.example/?to=https://user@localhost:22/',
    'https://localhost.partner.example/',
    'https://internal.io/',
    'https://3com.example/',
  ])('%s', (url) => {
    expect(whyNot(url)).toBeNull()
  })

  test('its host is in lower case and punycode', () => {
    const verdict = judgeUrl('https://BÜCHER.example/', PUBLIC_ONLY)
    expect(verdict).toMatchObject({ allowed: true, host: 'xn--bcher-kva.example' })
  })
})

describe('a URL that may not be registered', () => {
  test.each<[UrlRefusal, string[]]>([
    ['not_a_url', ['', 'hooks.partner.example', '//hooks.partner.example', 'https:hooks.partner.example', 'https://']],
    [
      'not_a_url',
      ['https:/hooks.partner.example', 'https:///hooks.partner.example', 'https://:443/', 'https://a b.example/'],
    ],
    [
      'not_a_url',
      [
        ' https://partner.example',
        'https://partner.example/\n',
        'ht\ttps://partner.example',
        'https://par\rtner.example',
      ],
    ],
    [
      'not_a_url',
      ['https:\\\\partner.example', 'https://partner.example\\@127.0.0.1/', 'https://partner.example/\u0000'],
    ],
    [
      'not_a_url',
      ['https://partner.example:99999/', 'https://partner.example:-1/', 'https://[::1', 'https://[fe80::1%25eth0]/'],
    ],
    [
      'not_a_url',
      ['https://256.256.256.256/', 'https://1.2.3.4.5/', 'https://par%00tner.example/', 'https://<partner>.example/'],
    ],
    [
      'not_https',
      [
        'http://partner.example',
        'http://8.8.8.8/',
        'ftp://partner.example',
        'ws://partner.example',
        'file:///etc/passwd'.replace('///', '//x/'),
      ],
    ],
    ['not_https', ['gopher://partner.example:25/', 'http://localhost:3000/', 'http://127.0.0.1/']],
    [
      'has_userinfo',
      [
        'https://user@partner.example',
        'https://user:pass@partner.example',
        'https://:pass@partner.example',
        'https://@partner.example/',
      ],
    ],
    ['has_userinfo', ['https://partner.example@127.0.0.1/', 'https://partner.example:443@10.0.0.1/']],
    [
      'has_fragment',
      ['https://partner.example/#part', 'https://partner.example/#', 'https://partner.example#@127.0.0.1/'],
    ],
    ['port_not_allowed', [0, 1, 22, 25, 53, 80, 110, 143, 389, 465, 587, 636, 853, 993, 1023].map(onPort)],
    ['port_not_allowed', [1720, 2049, 5060, 6000, 6667, 10080].map(onPort)],
    ['port_not_allowed', [22, 25, 53, 110, 143, 389, 445, 1433, 1521, 2049, 2375, 2379, 3306, 3389].map(onPort)],
    ['port_not_allowed', [5432, 5900, 5984, 6379, 6443, 8500, 9042, 9092, 9200, 11211, 27017].map(onPort)],
    ['port_not_allowed', [21, 23, 135, 137, 138, 139, 465, 587, 636, 993, 995, 2376, 2380, 5433].map(onPort)],
    ['port_not_allowed', [5672, 5901, 6380, 7000, 7001, 9093, 9300, 10250, 15672, 26257, 27018].map(onPort)],
    [
      'name_not_public',
      [
        'https://localhost/',
        'https://LOCALHOST/',
        'https://localhost./',
        'https://app.localhost/',
        'https://ｌｏｃａｌｈｏｓｔ/',
      ],
    ],
    [
      'name_not_public',
      [
        'https://printer.local/',
        'https://metadata.google.internal/',
        'https://vault.service.corp/',
        'https://nas.lan/',
      ],
    ],
    [
      'name_not_public',
      [
        'https://router.home.arpa/',
        'https://1.0.0.127.in-addr.arpa/',
        'https://abcdefgh.onion/',
        'https://x.invalid/',
        'https://a.test/',
      ],
    ],
    [
      'name_not_public',
      [
        'https://intranet/',
        'https://metadata/',
        'https://kubernetes.default.svc.cluster.local/',
        'https://partner.example./',
      ],
    ],
    [
      'name_not_public',
      [
        `https://${'a'.repeat(64)}.example/`,
        `https://${'abc.'.repeat(63)}example/`,
        'https://a..example/',
        'https://-a.example/',
      ],
    ],
  ])('%s: %j', (why, urls) => {
    expect(urls.map((url) => [url, whyNot(url)])).toEqual(urls.map((url) => [url, why]))
  })

  test('address_not_public: an address in any of its spellings', () => {
    const loopback = [
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
    ]
    const wide = ['１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '127.0.0.1.', '%31%32%37.0.0.1']
    const six = [
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::a00:1]',
      '[fe80::1]',
    ]
    const tunnels = ['[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[::127.0.0.1]', '[fd00:ec2::254]']
    const four = ['0', '0.0.0.0', '10.1', '0xa.1', '169.254.169.254', '0xA9FEA9FE', '2852039166', '0251.0376.0251.0376']
    const rest = [
      '100.64.0.1',
      '192.168.1.1',
      '172.16.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '168.63.129.16',
    ]
    const hosts = [...loopback, ...wide, ...six, ...tunnels, ...four, ...rest]
    const judged = hosts.map((host) => [host, whyNot(`https://${host}/`)])
    expect(judged).toEqual(hosts.map((host) => [host, 'address_not_public']))
  })

  test('too_long: beyond 2,000 characters', () => {
    const url = 'https://partner.example/'
    expect(whyNot(url.padEnd(URL_CHARS_MAX, 'x'))).toBeNull()
    expect(whyNot(url.padEnd(URL_CHARS_MAX + 1, 'x'))).toBe('too_long')
  })

  test.each([
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ])('port_not_allowed: %d, a bad port of the Fetch standard', (port) => {
    expect(whyNot(onPort(port))).toBe('port_not_allowed')
    expect(whyNot(`http://localhost:${port}/`, WITH_LOOPBACK)).toBe('port_not_allowed')
  })

  test('for a port of another service, the message names the port and the service', () => {
    const message = 'must use port 443 or one from 1024 up that belongs to no other service'
    expect(judgeUrl(onPort(6379), PUBLIC_ONLY)).toMatchObject({ message: `${message}; 6379 belongs to Redis` })
    expect(judgeUrl(onPort(700), PUBLIC_ONLY)).toMatchObject({ message })
  })

  test.each([1024, 3000, 4400, 5000, 8000, 8080, 8443, 8888, 9000, 9443, 49_152, 65_535])(
    'port %d is allowed',
    (port) => {
      expect(whyNot(onPort(port))).toBeNull()
    },
  )

  test('own_address: the service itself, under any name of this machine', () => {
    const addressPolicy: AddressPolicy = {
      ...WITH_LOOPBACK,
      own: () => ['https://api.portico.example', 'http://127.0.0.1:4400'],
    }
    const own = [
      ...['https://api.portico.example/hook', 'https://API.portico.example:443/', 'http://127.0.0.1:4400/'],
      ...['http://localhost:4400/', 'http://app.localhost:4400/', 'http://[::1]:4400/', 'http://127.9.9.9:4400/'],
    ]
    expect(own.map((url) => whyNot(url, addressPolicy))).toEqual(own.map(() => 'own_address'))
    const others = ['https://api.portico.example:8443/', 'http://localhost:4401/', 'https://www.portico.example/']
    expect(others.map((url) => whyNot(url, addressPolicy))).toEqual(others.map(() => null))
    const everywhere: AddressPolicy = { ...WITH_LOOPBACK, own: () => ['http://0.0.0.0:4400', 'not an origin'] }
    expect(whyNot('http://localhost:4400/', everywhere)).toBe('own_address')
  })

  test('the message says what to write instead', () => {
    expect(judgeUrl('http://partner.example', PUBLIC_ONLY)).toMatchObject({ message: 'must begin with https://' })
  })
})

describe('loopback, where it is allowed', () => {
  test.each([
    'http://localhost:3000/hook',
    'http://app.localhost:3000/',
    'http://127.0.0.1:4000/',
    'http://127.9.9.9:4000/',
    'http://[::1]:4000/',
    'http://localhost/',
    'https://localhost:8443/',
    'https://127.0.0.1:8443/',
  ])('%s', (url) => {
    expect(whyNot(url, WITH_LOOPBACK)).toBeNull()
  })

  test('all other rules still apply', () => {
    expect(whyNot('http://partner.example/', WITH_LOOPBACK)).toBe('not_https')
    expect(whyNot('http://10.0.0.1/', WITH_LOOPBACK)).toBe('not_https')
    expect(whyNot('https://10.0.0.1/', WITH_LOOPBACK)).toBe('address_not_public')
    expect(whyNot('http://0.0.0.0:3000/', WITH_LOOPBACK)).toBe('not_https')
    expect(whyNot('https://printer.local/', WITH_LOOPBACK)).toBe('name_not_public')
    expect(whyNot('http://localhost:22/', WITH_LOOPBACK)).toBe('port_not_allowed')
    expect(whyNot('http://user@localhost:3000/', WITH_LOOPBACK)).toBe('has_userinfo')
  })

  test('a range that counts as public does not allow http', () => {
    const addressPolicy = { loopback: false, ranges: addressRanges('127.0.0.0/8') }
    expect(whyNot('https://127.0.0.1/', addressPolicy)).toBeNull()
    expect(whyNot('http://127.0.0.1/', addressPolicy)).toBe('not_https')
  })
})

function onPort(port: number): string {
  return `https://partner.example:${port}/`
}
