import '../style.css'
import './console.css'
import { start } from '../shell/start.tsx'
import { noticeEndedStaffSession } from './operator.ts'
import { router } from './router.tsx'

noticeEndedStaffSession()
start(router)
