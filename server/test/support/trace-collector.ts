import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type CollectedSpan = {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly traceState: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string; readonly traceState: string }[]
  readonly isError: boolean
  readonly ms: number
}

type OtlpValue = {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
  readonly boolValue?: boolean
}
type OtlpAttribute = { readonly key: string; readonly value: OtlpValue }
type OtlpLink = { readonly traceId: string; readonly spanId: string; readonly traceState?: string }
type OtlpSpan = OtlpLink & {
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: readonly OtlpAttribute[]
  readonly links?: readonly OtlpLink[]
  readonly status?: { readonly code?: number }
}
type OtlpRequest = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** An OpenTelemetry collector, which receives OTLP in JSON over real HTTP on loopback. */
export type TraceCollector = {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** The bodies of all accepted requests. */
  readonly bodies: readonly string[]
  readonly headers: readonly Readonly<Record<string, unknown>>[]
  readonly resource: Readonly<Record<string, unknown>>
  /** Sets the status of all further responses. With null the collector accepts connections and never responds. */
  answerWith(status: number | null): void
  close(): Promise<void>
}

export async function traceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const headers: Readonly<Record<string, unknown>>[] = []
  let resource: Readonly<Record<string, unknown>> = {}
  let status: number | null = 200
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (status === null) return
    if (status === 200 && request.method === 'POST' && request.url === '/v1/traces') {
      const { resourceSpans } = JSON.parse(body) as OtlpRequest
      bodies.push(body)
      headers.push(request.headers)
      for (const of of resourceSpans) {
        resource = valuesOf(of.resource.attributes)
        spans.push(...of.scopeSpans.flatMap((scope) => scope.spans).map(read))
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    get resource() {
      return resource
    },
    answerWith(next) {
      status = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function read(span: OtlpSpan): CollectedSpan {
  const { traceId, spanId, parentSpanId = '', traceState = '', name, kind, attributes = [], links = [], status } = span
  return {
    ...{ traceId, spanId, parentSpanId, traceState, name, kind },
    attributes: valuesOf(attributes),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId, traceState: link.traceState ?? '' })),
    isError: status?.code === 2,
    ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  }
}

function valuesOf(attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  )
}
