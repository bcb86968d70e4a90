import { expect, test } from 'vitest';
import { startIndexer } from './indexer.ts';

test('a thread that ended by a fault and was not started again yet keeps nobody from ending', async () => {
	const faults: unknown[] = [];
	const before = process.env['KOMODECK_CONFIG'];
	process.env['KOMODECK_CONFIG'] = '/nowhere/komodeck.json';
	try {
		const indexer = startIndexer({
			onWrite: () => undefined,
			onError: (error) => faults.push(error)
		});
		await expect.poll(() => faults.length, { timeout: 30_000 }).toBe(1);
		// The restart happens only five seconds later.
		await new Promise((done) => setTimeout(done, 200));
		await indexer.stop();
	} finally {
		if (before === undefined) delete process.env['KOMODECK_CONFIG'];
		else process.env['KOMODECK_CONFIG'] = before;
	}
}, 45_000);
