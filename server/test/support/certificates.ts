import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { bits, der, generalizedTime, integer, objectId, octets, sequence, set, utf8, yes } from './der.ts'

/** A certificate and its key, in the form that TLS servers expect. */
export type Identity = { readonly cert: string; readonly key: string }

export type CertificateAuthority = {
  /** The authority's own certificate, which a client has to trust. */
  readonly pem: string
  /**
   * Issues a certificate for these names and IPv4 addresses. It is valid for a year from now, unless its end is given.
   */
  issue(hosts: readonly string[], validUntil?: Date): Identity
}

const ECDSA_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))
const BASIC_CONSTRAINTS = objectId('2.5.29.19')
const SUBJECT_ALT_NAME = objectId('2.5.29.17')
const COMMON_NAME = objectId('2.5.4.3')

/**
 * Creates a certificate authority for one test. Node reads X.509 but cannot write it, and not every machine has the
 * openssl command. Certificates in a repository would need their private keys there, and would expire.
 */
export function certificateAuthority(name = 'Portico test authority'): CertificateAuthority {
  const own = newKeys()
  const pem = certificate({ subject: name, keys: own, extensions: [authority()] }, { name, key: own.privateKey })
  return {
    pem,
    issue(hosts, validUntil) {
      const keys = newKeys()
      const wanted = { subject: hosts[0] ?? 'nobody', keys, extensions: [alternativeNames(hosts)], validUntil }
      const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
      return { cert: certificate(wanted, { name, key: own.privateKey }), key: String(key) }
    },
  }
}

type Keys = { readonly publicKey: Buffer; readonly privateKey: KeyObject }
type Wanted = {
  readonly subject: string
  readonly keys: Keys
  readonly extensions: readonly Buffer[]
  readonly validUntil?: Date | undefined
}
type Issuer = { readonly name: string; readonly key: KeyObject }

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000

function newKeys(): Keys {
  const made = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey: made.publicKey, privateKey: createPrivateKey(made.privateKey) }
}

/** Certificate and TBSCertificate of RFC 5280, 4.1. */
function certificate({ subject, keys, extensions, validUntil }: Wanted, issuer: Issuer): string {
  const until = validUntil ?? new Date(Date.now() + YEAR_MS)
  const signed = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_SHA256,
    named(issuer.name),
    sequence(generalizedTime(new Date(until.getTime() - 2 * YEAR_MS)), generalizedTime(until)),
    named(subject),
    keys.publicKey,
    der(0xa3, sequence(...extensions)),
  )
  const whole = sequence(signed, ECDSA_SHA256, bits(sign('sha256', signed, issuer.key)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const named = (name: string) => sequence(set(sequence(COMMON_NAME, utf8(name))))
const authority = () => sequence(BASIC_CONSTRAINTS, yes(), octets(sequence(yes())))

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  )
  return sequence(SUBJECT_ALT_NAME, octets(sequence(...names)))
}
