/**
 * Ports from 1024 up that other protocols than HTTP are spoken on, from the list that browsers refuse (Fetch, "port
 * blocking"): what arrives there could be taken for a command.
 */
const OTHER_PROTOCOLS: ReadonlySet<number> = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
])

const WELL_KNOWN_MAX = 1023

/** The scheme's own port, or one that is nobody's by convention: below 1024 live mail, DNS, SSH and their like. */
export function isAllowedPort(port: number, ownPort: number): boolean {
  return port === ownPort || (port > WELL_KNOWN_MAX && !OTHER_PROTOCOLS.has(port))
}
