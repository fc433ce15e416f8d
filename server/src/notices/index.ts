export { mailNotices, notifyAppTeam, notifyOfSigningSecret, notifyTeam } from './notify-team.ts'
