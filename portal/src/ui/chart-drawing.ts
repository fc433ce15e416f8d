import './browser-language.ts'
import 'uplot/dist/uPlot.min.css'

// The library has a file of its own, so that its style sheet is loaded together with it.
export { default as UPlot } from 'uplot'
