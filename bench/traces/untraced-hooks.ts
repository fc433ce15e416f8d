import { replaceLines, WITHOUT_TRACES } from './replace-lines.ts'

/** Loaded with `--import`: removes the lines that every request runs for traces, even while traces are off. */
replaceLines(WITHOUT_TRACES)
