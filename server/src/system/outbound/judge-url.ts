import { isIP } from 'node:net'
import { type AddressPolicy, isLocalhost, isLoopback, isOwn, isPublicName, judgeAddress, rangesFor } from './address.ts'

/** The maximum length of a URL, which is also the length of the database column. */
export const URL_CHARS_MAX = 2_000

export type UrlRefusal =
  | 'too_long'
  | 'not_a_url'
  | 'not_https'
  | 'has_userinfo'
  | 'has_fragment'
  | 'port_not_allowed'
  | 'own_address'
  | 'name_not_public'
  | 'address_not_public'

/** For the person who wrote the URL. Each message continues the field's name ("url must …"). */
const MESSAGES: Readonly<Record<UrlRefusal, string>> = {
  too_long: `must have at most ${URL_CHARS_MAX} characters`,
  not_a_url: 'must be an absolute URL, without spaces or backslashes',
  not_https: 'must begin with https://',
  has_userinfo: 'must not name a user or password; the signature tells you who is calling',
  has_fragment: 'must not have a fragment (#…), which is never sent',
  port_not_allowed: 'must use port 443 or one from 1024 up that belongs to no other service',
  own_address: 'must not be the address of this service itself',
  name_not_public: 'must name a host on the public internet, such as hooks.example.com, without a trailing dot',
  address_not_public: 'must not lead to a private, local or reserved address',
}

type UrlVerdict =
  | { readonly allowed: true; readonly url: URL; readonly host: string }
  | { readonly allowed: false; readonly why: UrlRefusal; readonly message: string }

const OWN_PORT: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

/**
 * The checks of a URL that need no network: "`https` to public addresses only"; in the test world also "loopback over http" if
 * the policy allows it. A valid name may still resolve to a forbidden address: that is checked at every connection.
 */
export function judgeUrl(text: string, addressPolicy: AddressPolicy): UrlVerdict {
  if (text.length > URL_CHARS_MAX) return refused('too_long')
  const url = plainUrl(text)
  if (url === null) return refused('not_a_url')
  const host = hostOf(url)
  const why = formRefusal(text, url) ?? placeRefusal(url, host, addressPolicy)
  if (why === null) return { allowed: true, url, host }
  const service = why === 'port_not_allowed' ? serviceOn(Number(url.port)) : null
  return service === null ? refused(why) : refused(why, `; ${url.port} belongs to ${service}`)
}

/** The host of a URL without the brackets of an IPv6 literal. */
function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

/**
 * Null for a text that a URL parser would repair. Parsers drop line breaks and convert backslashes, so two parsers could see two
 * hosts in the same text.
 */
function plainUrl(text: string): URL | null {
  const plain = /^[a-z]+:\/\/[^/?#]/i.test(text) && !/[\s\\\p{Cc}]/u.test(text)
  return plain ? URL.parse(text) : null
}

function formRefusal(text: string, url: URL): UrlRefusal | null {
  const authority = /^[^/]+\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
  if (OWN_PORT[url.protocol] === undefined) return 'not_https'
  if (authority.includes('@')) return 'has_userinfo'
  return text.includes('#') ? 'has_fragment' : null
}

function placeRefusal(url: URL, host: string, addressPolicy: AddressPolicy): UrlRefusal | null {
  const loopback = isLocalhost(host) || isLoopback(host)
  if (url.protocol === 'http:' && !(loopback && addressPolicy.loopback)) return 'not_https'
  const ownPort = OWN_PORT[url.protocol] ?? 0
  const port = url.port === '' ? ownPort : Number(url.port)
  if (!isAllowedPort(port, ownPort)) return 'port_not_allowed'
  if (isOwn(addressPolicy, { host, port, loopback })) return 'own_address'
  if (isIP(host) !== 0) {
    return judgeAddress(host, rangesFor(addressPolicy, loopback)).allowed ? null : 'address_not_public'
  }
  return isPublicName(host) || (loopback && addressPolicy.loopback) ? null : 'name_not_public'
}

function refused(why: UrlRefusal, more = ''): UrlVerdict {
  return { allowed: false, why, message: MESSAGES[why] + more }
}

/**
 * Ports of services other than web servers, with the service's name: the Fetch standard's "bad ports", mail, remote shells,
 * file shares, databases, caches, queues and control ports of clusters. Webhooks are never sent there: such a service could
 * interpret a webhook as a command, and many of them trust their network.
 * Below 1024 every port except the scheme's default is rejected, listed or not; for a listed port the message names the
 * service.
 */
const SERVICE_PORTS: Readonly<Record<number, string>> = {
  ...{ 1: 'tcpmux', 7: 'echo', 9: 'discard', 11: 'systat', 13: 'daytime', 15: 'netstat', 17: 'qotd', 19: 'chargen' },
  ...{ 20: 'FTP', 21: 'FTP', 22: 'SSH', 23: 'Telnet', 25: 'SMTP', 37: 'time', 42: 'WINS', 43: 'whois', 53: 'DNS' },
  ...{
    69: 'TFTP',
    77: 'RJE',
    79: 'finger',
    87: 'link',
    88: 'Kerberos',
    95: 'supdup',
    101: 'hostname',
    102: 'ISO-TSAP',
  },
  ...{
    103: 'X.400',
    104: 'DICOM',
    109: 'POP2',
    110: 'POP3',
    111: 'portmapper',
    113: 'ident',
    115: 'SFTP',
    117: 'UUCP',
  },
  ...{ 119: 'NNTP', 123: 'NTP', 135: 'RPC', 137: 'NetBIOS', 138: 'NetBIOS', 139: 'NetBIOS', 143: 'IMAP', 161: 'SNMP' },
  ...{ 162: 'SNMP', 179: 'BGP', 389: 'LDAP', 427: 'SLP', 445: 'SMB', 465: 'SMTP', 512: 'exec', 513: 'login' },
  ...{ 514: 'shell', 515: 'LPD', 526: 'tempo', 530: 'courier', 531: 'chat', 532: 'netnews', 540: 'UUCP', 548: 'AFP' },
  ...{ 554: 'RTSP', 556: 'remotefs', 563: 'NNTP', 587: 'SMTP', 601: 'syslog', 623: 'IPMI', 631: 'IPP', 636: 'LDAP' },
  ...{ 853: 'DNS', 873: 'rsync', 989: 'FTP', 990: 'FTP', 993: 'IMAP', 995: 'POP3' },
  ...{ 1080: 'SOCKS', 1099: 'Java RMI', 1194: 'OpenVPN', 1433: 'SQL Server', 1434: 'SQL Server', 1521: 'Oracle' },
  ...{ 1719: 'H.323', 1720: 'H.323', 1723: 'PPTP', 1883: 'MQTT', 2049: 'NFS', 2181: 'ZooKeeper', 2375: 'Docker' },
  ...{ 2376: 'Docker', 2377: 'Docker', 2379: 'etcd', 2380: 'etcd', 2483: 'Oracle', 2484: 'Oracle', 2525: 'SMTP' },
  ...{ 3268: 'LDAP', 3269: 'LDAP', 3306: 'MySQL', 3389: 'Remote Desktop', 3659: 'apple-sasl', 4045: 'NFS' },
  ...{ 4190: 'ManageSieve', 4222: 'NATS', 4369: 'epmd', 4646: 'Nomad', 4647: 'Nomad', 5060: 'SIP', 5061: 'SIP' },
  ...{ 5222: 'XMPP', 5432: 'PostgreSQL', 5433: 'PostgreSQL', 5601: 'Kibana', 5671: 'AMQP', 5672: 'AMQP', 5900: 'VNC' },
  ...{ 5901: 'VNC', 5902: 'VNC', 5903: 'VNC', 5984: 'CouchDB', 5985: 'WinRM', 5986: 'WinRM', 6000: 'X11', 6001: 'X11' },
  ...{ 6379: 'Redis', 6380: 'Redis', 6432: 'PgBouncer', 6443: 'Kubernetes', 6514: 'syslog', 6566: 'SANE' },
  ...{ 6665: 'IRC', 6666: 'IRC', 6667: 'IRC', 6668: 'IRC', 6669: 'IRC', 6679: 'IRC', 6697: 'IRC', 7000: 'Cassandra' },
  ...{ 7001: 'Cassandra', 7199: 'Cassandra', 7474: 'Neo4j', 7687: 'Neo4j', 8086: 'InfluxDB', 8089: 'InfluxDB' },
  ...{ 8200: 'Vault', 8201: 'Vault', 8300: 'Consul', 8301: 'Consul', 8302: 'Consul', 8500: 'Consul', 8501: 'Consul' },
  ...{
    8983: 'Solr',
    9042: 'Cassandra',
    9092: 'Kafka',
    9093: 'Kafka',
    9094: 'Kafka',
    9142: 'Cassandra',
    9160: 'Cassandra',
  },
  ...{ 9200: 'Elasticsearch', 9300: 'Elasticsearch', 9418: 'Git', 10080: 'Amanda', 10250: 'Kubernetes' },
  ...{ 10255: 'Kubernetes', 10257: 'Kubernetes', 10259: 'Kubernetes', 11211: 'Memcached', 11434: 'Ollama' },
  ...{ 15672: 'RabbitMQ', 25672: 'RabbitMQ', 26257: 'CockroachDB', 26379: 'Redis', 27017: 'MongoDB', 27018: 'MongoDB' },
  ...{ 27019: 'MongoDB', 28015: 'RethinkDB', 28017: 'MongoDB', 61616: 'ActiveMQ' },
}

const WELL_KNOWN_MAX = 1023

/** The scheme's default port, or one from 1024 up that belongs to no other service. */
function isAllowedPort(port: number, ownPort: number): boolean {
  return port === ownPort || (port > WELL_KNOWN_MAX && SERVICE_PORTS[port] === undefined)
}

/** The service that uses the port; null if none is listed. */
function serviceOn(port: number): string | null {
  return SERVICE_PORTS[port] ?? null
}

/** The target of a connection. Requests to the same origin share connections. */
export type Place = {
  readonly origin: string
  /** A name or an address, without the brackets of an IPv6 literal. */
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

/** `path` includes the query. */
export type Destination = { readonly place: Place; readonly path: string }

const DESTINATIONS_MAX = 5_000

/** Caches the verdict for each URL, because the same few URLs are used again and again. Null for a blocked URL. */
export function destinations(addressPolicy: AddressPolicy): (url: string) => Destination | null {
  const verdicts = new Map<string, Destination | null>()
  return (url) => {
    const before = verdicts.get(url)
    if (before !== undefined) return before
    if (verdicts.size >= DESTINATIONS_MAX) verdicts.clear()
    const verdict = judgeUrl(url, addressPolicy)
    const destination = verdict.allowed ? apart(verdict) : null
    verdicts.set(url, destination)
    return destination
  }
}

function apart({ url, host }: UrlVerdict & { readonly allowed: true }): Destination {
  const secure = url.protocol === 'https:'
  const port = Number(url.port) || (secure ? 443 : 80)
  return { place: { origin: url.origin, host, port, secure }, path: url.pathname + url.search }
}
