import { defineConfig } from 'playwright/test'

// One worker: each test starts an Electron of its own, and two of them at once slow each other down on two cores.
export default defineConfig({
  testDir: 'e2e/specs',
  outputDir: 'test-results',
  timeout: 60_000,
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  use: { trace: 'off', video: 'off' },
})
