import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Django serves what this builds through django-vite: hashed files beside one `manifest.json`. */
export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/app/" : "/",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    outDir: "../designer/pages/static/app",
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    // Small fonts too are files: the page may load none from a data: address (CSP font-src).
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1700,
    rollupOptions: { input: "src/main.tsx" },
  },
  server: {
    port: Number(process.env.CALLCHART_VITE_PORT ?? 5173),
    proxy: {
      "/accounts": { target: process.env.CALLCHART_BACKEND ?? "http://127.0.0.1:8000" },
      "/static": { target: process.env.CALLCHART_BACKEND ?? "http://127.0.0.1:8000" },
      "/v1": { target: process.env.CALLCHART_BACKEND ?? "http://127.0.0.1:8000" },
      "/ws": { target: process.env.CALLCHART_BACKEND ?? "http://127.0.0.1:8000", ws: true },
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["tests/setup.ts"],
    include: ["tests/**/*.test.{ts,tsx}"],
    css: false,
    testTimeout: 30_000,
  },
}));
