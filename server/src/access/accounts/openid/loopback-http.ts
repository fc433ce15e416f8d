const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export function isLoopbackHttp(issuer: URL): boolean {
  return issuer.protocol === 'http:' && LOOPBACK.has(issuer.hostname)
}
