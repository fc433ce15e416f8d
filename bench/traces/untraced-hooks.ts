import { replaceLines, WITHOUT_TRACES } from './replace-lines.ts'

/** Loaded with `--import`: removes the lines for traces, which every request runs even while traces are off. */
replaceLines(WITHOUT_TRACES)
