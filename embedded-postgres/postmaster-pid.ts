import type { Endpoint } from './endpoint.ts'

/** What a running PostgreSQL says of itself in the file postmaster.pid of its cluster. */
export type PostmasterFile = {
  readonly pid: number
  readonly dataDirectory: string
  readonly endpoint: Endpoint | undefined
  readonly status: PostmasterStatus
}

/** 'unknown' while the server has not come far enough to write it. */
export type PostmasterStatus = 'starting' | 'ready' | 'stopping' | 'unknown'

const STATUSES: Readonly<Record<string, PostmasterStatus>> = {
  starting: 'starting',
  ready: 'ready',
  standby: 'ready',
  stopping: 'stopping',
}

/**
 * Lines (PostgreSQL's src/include/utils/pidfile.h): pid, data directory, start time, port, socket directory, listen
 * address, shared memory key, status. They are written bit by bit, so later ones may be missing. Undefined if not
 * even the pid is there, as after a power cut.
 */
export function parsePostmasterPid(text: string): PostmasterFile | undefined {
  const [pidText = '', dataDirectory = '', , portText = '', socketDirectory = '', address = '', , status = ''] =
    text.split('\n')
  // A standalone backend (`postgres --single`) writes its pid with a minus.
  const pid = Math.abs(Number(pidText))
  if (!Number.isInteger(pid) || pid === 0) return undefined
  const endpoint = parseEndpoint(Number(portText), socketDirectory, address)
  return { pid, dataDirectory, endpoint, status: STATUSES[status.trim()] ?? 'unknown' }
}

function parseEndpoint(port: number, socketDirectory: string, address: string): Endpoint | undefined {
  if (!Number.isInteger(port) || port === 0) return undefined
  if (socketDirectory !== '') return { kind: 'socket', directory: socketDirectory, port }
  return address === '' ? undefined : { kind: 'tcp', port }
}
