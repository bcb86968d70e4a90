import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: [
			'src/**/*.test.ts',
			'tests/{architecture,attacks,contract,faults,integration,interface,replay,run}/**/*.test.ts'
		],
		environment: 'node',
		// What hangs, not what is slow: how long something may take is measured by the bench.
		testTimeout: 180_000,
		hookTimeout: 400_000,
		maxWorkers: 2,
		globalSetup: ['tests/support/postgres.ts']
	}
});
