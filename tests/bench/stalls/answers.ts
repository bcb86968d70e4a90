/** Measures how long other callers wait while a daemon sends hostile responses. */
import { hostileAnswers, HostileServer } from '../../support/hostileAnswers.ts';
import { longestWait } from '../../support/longestWait.ts';
import { startApp } from '../processes.ts';
import { ms, type Measure } from '../table.ts';

const GOAL_MS = 200;
const INFO = '{"version":2001526,"KMDversion":"0.9.0","name":"ALPHA","CCid":777,"blocks":100}';
/** Duration of each response. */
const EACH_MS = 1_500;

/** One line for each response: the longest time of `/healthz` meanwhile. */
export async function measureAnswers(): Promise<Measure[]> {
	const daemon = new HostileServer(({ method, id }) =>
		method === 'getinfo' ? `{"result":${INFO},"error":null,"id":${id}}\n` : null
	);
	const app = await startApp(await daemon.start());
	const measures: Measure[] = [];
	try {
		for (const [what, answer] of Object.entries(hostileAnswers)) {
			daemon.answer = answer;
			const { longest, failed } = await longestWait(`${app.url}/healthz`, async () => {
				const until = performance.now() + EACH_MS;
				while (performance.now() < until) {
					await Promise.all(
						['/', '/chains/ALPHA/mempool'].map(async (path) =>
							(await fetch(`${app.url}${path}`)).text()
						)
					);
				}
			});
			if (failed !== null) throw new Error(`others were not served: ${failed}`);
			measures.push({
				what: `others wait, daemon answers ${what}`,
				figure: ms(longest),
				goal: `at most ${GOAL_MS} ms`,
				met: longest <= GOAL_MS
			});
			daemon.answer = null;
			daemon.release();
		}
		measures.push({
			what: 'memory after all of these answers',
			figure: `${Math.round(app.memory())} MB`,
			goal: '',
			met: null
		});
	} finally {
		await app.stop();
		await daemon.stop();
	}
	return measures;
}
