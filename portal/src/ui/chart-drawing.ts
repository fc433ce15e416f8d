import './browser-language.ts'
import 'uplot/dist/uPlot.min.css'

// This file imports uPlot and its style sheet, so that a page without charts loads neither.
export { default as UPlot } from 'uplot'
