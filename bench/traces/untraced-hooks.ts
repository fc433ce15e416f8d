import { replaceLines } from './replace-lines.ts'

/** Loaded with `--import`: removes the lines that every request runs for traces, even while traces are off. */
replaceLines({
  '/server/src/http/handle-request.ts': [
    [
      '    const span = beginRequestSpan(edge, exchange)\n' +
        '    await (span === null ? work(edge, served, exchange) : inSpan(span, () => work(edge, served, exchange)))\n',
      '    await work(edge, served, exchange)\n',
    ],
  ],
  '/server/src/http/app.ts': [['    endRequestSpan(edge, exchange, status)\n', '']],
})
