import { replaceLines } from './replace-lines.ts'

/** Loaded with `--import`: the service without what a request runs for traces while they are off. */
replaceLines({
  '/server/src/http/answer-request.ts': [
    [
      '    const span = beginRequestSpan(edge, exchange)\n' +
        '    await (span === null ? work(edge, served, exchange) : inSpan(span, () => work(edge, served, exchange)))\n',
      '    await work(edge, served, exchange)\n',
    ],
  ],
  '/server/src/http/app.ts': [['    endRequestSpan(edge, exchange, status)\n', '']],
})
