/** The imports have the extension .ts, so that Node can run the generated files. */
export default {
  input: '../server/openapi.json',
  output: { path: 'generated/hey', importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
}
