/** How long pages take while a daemon is in trouble. */
import { DAEMON_FAULTS } from '../support/daemonFaults.ts';
import { startDevnet } from '../support/devnet.ts';
import { startApp } from './processes.ts';
import { ms, type Measure } from './table.ts';

/** A page may wait 750 ms for daemons. */
const GOAL_MS = 1_000;

/** One line for each fault: the slowest page's time to its last byte. */
export async function measureFaults(): Promise<Measure[]> {
	const devnet = await startDevnet({ manual: true });
	const app = await startApp(null, { KOMODO_HOME: devnet.dir });
	try {
		const [tokenid] = await devnet.rpc<string[]>('ALPHA', 'tokenlist');
		const paths = [
			'/',
			...['', '/tokens', `/token/${tokenid}`].map((rest) => `/chains/ALPHA${rest}`)
		];
		const slowest = async (): Promise<number> => {
			let longest = 0;
			for (const path of paths) {
				const began = performance.now();
				const answer = await fetch(`${app.url}${path}`);
				await answer.text();
				// A page without its daemon is still a page: an error page is no figure.
				if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
				longest = Math.max(longest, performance.now() - began);
			}
			return longest;
		};
		// The first request for a page compiles it.
		await slowest();
		const measures: Measure[] = [];
		for (const { kind, ms: late } of DAEMON_FAULTS) {
			await devnet.control.fault('ALPHA', kind, late === undefined ? {} : { ms: late });
			const took = await slowest();
			await devnet.control.fault('ALPHA', 'none');
			measures.push({
				what: `slowest page, daemon fault ${kind}`,
				figure: ms(took),
				goal: `at most ${GOAL_MS} ms`,
				met: took <= GOAL_MS
			});
		}
		return measures;
	} finally {
		await app.stop();
		await devnet.stop();
	}
}
