import './browser-language.ts'
import 'uplot/dist/uPlot.min.css'

// In a file of its own, so that the style sheet is loaded with the library.
export { default as UPlot } from 'uplot'
