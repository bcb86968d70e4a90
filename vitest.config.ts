import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: [
			'src/**/*.test.ts',
			'tests/{attacks,contract,faults,integration,interface}/**/*.test.ts'
		],
		environment: 'node',
		testTimeout: 30_000,
		hookTimeout: 120_000,
		maxWorkers: 2,
		globalSetup: ['tests/support/postgres.ts']
	}
});
