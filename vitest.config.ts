import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What puts a counting stand-in before a library, and so wants modules of its own. */
const APART = ['tests/integration/auth/signIn.test.ts'];

const shared = {
	environment: 'node' as const,
	// What hangs, not what is slow: how long something may take is measured by the bench.
	testTimeout: 180_000,
	hookTimeout: 400_000
};

const onDatabases = {
	...shared,
	// Hashing passwords took a third of the time of the tests that sign in.
	execArgv: ['--import', join(import.meta.dirname, 'tests/support/cheapPasswords.ts')],
	globalSetup: ['tests/support/suiteDatabases.ts']
};

export default defineConfig({
	test: {
		// A system test waits for processes and blocks more than it computes: three keep two processors busy.
		maxWorkers: 3,
		projects: [
			{
				// Beside the source: nothing but the code, which `npm run unit` runs in less than a minute.
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
					// The server's modules are read once by each worker: a tenth of the processors' time was that.
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
