import './style.css'
import { router } from './shell/router.tsx'
import { start } from './shell/start.tsx'

start(router)
