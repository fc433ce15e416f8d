export { mailNotices, notifyTeam } from './notify-team.ts'
