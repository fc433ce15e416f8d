/** Imports with their extension, so that Node runs what was generated as it is. */
export default {
  input: '../server/openapi.json',
  output: { path: 'generated/hey', importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
}
