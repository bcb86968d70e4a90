import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Replace a module by one that records its calls, so they share no modules with other files. */
const APART = ['tests/faults/powerCut.test.ts', 'tests/integration/auth/signIn.test.ts'];

const shared = {
	environment: 'node' as const,
	// Ends tests that hang. The bench measures speed.
	testTimeout: 180_000,
	hookTimeout: 400_000
};

const onDatabases = {
	...shared,
	// Password hashing took a third of the time of tests that sign in.
	execArgv: ['--import', join(import.meta.dirname, 'tests/support/cheapPasswords.ts')],
	globalSetup: ['tests/support/suiteDatabases.ts']
};

export default defineConfig({
	test: {
		// System tests mostly wait for processes and blocks: three workers keep two processors busy.
		maxWorkers: 3,
		projects: [
			{
				// Tests beside the source, without a database: `npm run unit` runs them in less than a minute.
				test: { ...shared, name: 'unit', include: ['src/**/*.test.ts'], isolate: false }
			},
			{
				test: {
					...onDatabases,
					name: 'system',
					include: [
						'tests/{architecture,attacks,contract,faults,integration,interface,replay,run}/**/*.test.ts'
					],
					exclude: APART,
					// Each worker loads the server's modules once. Loading them for each file took a tenth of the run.
					isolate: false
				}
			},
			{
				test: {
					...onDatabases,
					name: 'apart',
					include: APART
				}
			}
		]
	}
});
