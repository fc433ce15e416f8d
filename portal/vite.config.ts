import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm start` listens; `PORTICO_DEV_SERVER=http://localhost:4411 npm run dev` for another port. */
const SERVER = process.env['PORTICO_DEV_SERVER'] ?? 'http://localhost:4400'

/** Paths that are passed on to the server: everything that the portal requests, and the pages that it links to. */
const SERVED_PATHS =
  '^/(portal|platform|assets|favicon|sign-in|sign-out|sign-up|settings|docs|conditions|invitations|status|$)'

const CONSOLE = join(import.meta.dirname, 'src/console/')

/** The server gives the console's own scripts to people with a staff role only, so they have a folder of their own. */
const scriptName = ({ moduleIds }: { readonly moduleIds: readonly string[] }) =>
  `${moduleIds.some((id) => id.startsWith(CONSOLE)) ? 'console' : 'scripts'}/[name]-[hash].js`

export default defineConfig({
  root: import.meta.dirname,
  base: '/developers/',
  plugins: [react()],
  build: {
    target: 'es2022',
    outDir: join(import.meta.dirname, 'dist'),
    // The server writes the page itself, with the platform's brand, from this list of files.
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
        // The server rejects changes from other origins, and the development server is one.
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', SERVER)),
        changeOrigin: true,
      },
    },
  },
})
