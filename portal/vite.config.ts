import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm start` listens; `PORTICO_DEV_SERVER=http://localhost:4411 npm run dev` for another port. */
const SERVER = process.env['PORTICO_DEV_SERVER'] ?? 'http://localhost:4400'

/** Paths that are passed on to the server: everything that the portal requests, and the pages that it links to. */
const SERVED_PATHS = '^/(portal|assets|favicon|sign-in|sign-out|sign-up|settings|docs|conditions|invitations|status|$)'

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
      input: join(import.meta.dirname, 'src/main.tsx'),
      output: {
        entryFileNames: 'scripts/[name]-[hash].js',
        chunkFileNames: 'scripts/[name]-[hash].js',
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
