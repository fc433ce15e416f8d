import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The address of `npm start`. Set PORTICO_DEV_SERVER, for example to http://localhost:4411, if the server has another address. */
const SERVER = process.env['PORTICO_DEV_SERVER'] ?? 'http://localhost:4400'

/** Paths that the development server forwards to the server: all paths that the portal requests or links to. */
const SERVED_PATHS =
  '^/(portal|platform|assets|favicon|sign-in|sign-out|sign-up|settings|docs|conditions|invitations|status|$)'

const CONSOLE = join(import.meta.dirname, 'src/console/')

/** The console's scripts have a folder of their own, because the server serves them only to people with a staff role. */
const scriptName = ({ moduleIds }: { readonly moduleIds: readonly string[] }) =>
  `${moduleIds.some((id) => id.startsWith(CONSOLE)) ? 'console' : 'scripts'}/[name]-[hash].js`

export default defineConfig({
  root: import.meta.dirname,
  base: '/developers/',
  plugins: [react()],
  build: {
    target: 'es2022',
    outDir: join(import.meta.dirname, 'dist'),
    // From this list of files the server writes the page, with the platform's brand.
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: join(import.meta.dirname, 'src/main.tsx'),
        console: join(import.meta.dirname, 'src/console/main.tsx'),
      },
      output: {
        entryFileNames: scriptName,
        chunkFileNames: scriptName,
        assetFileNames: 'styles/[name]-[hash][extname]',
      },
    },
  },
  server: {
    proxy: {
      [SERVED_PATHS]: {
        target: SERVER,
        // The server rejects changes from other origins, such as the development server's.
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', SERVER)),
        changeOrigin: true,
      },
    },
  },
})
