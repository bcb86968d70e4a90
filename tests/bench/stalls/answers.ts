/** How long others wait while a daemon answers what no daemon would. */
import { hostileAnswers, HostileServer } from '../../support/hostileAnswers.ts';
import { AnswerProber } from '../../support/answerProber.ts';
import { startApp } from '../processes.ts';
import { ms, type Measure } from '../table.ts';

const GOAL_MS = 200;
const INFO = '{"version":2001526,"KMDversion":"0.9.0","name":"ALPHA","CCid":777,"blocks":100}';
/** How long each answer goes on. */
const EACH_MS = 1_500;

/** A line for each answer: the longest that `/healthz` took meanwhile. */
export async function measureAnswers(): Promise<Measure[]> {
	const daemon = new HostileServer(({ method, id }) =>
		method === 'getinfo' ? `{"result":${INFO},"error":null,"id":${id}}\n` : null
	);
	const app = await startApp(await daemon.start());
	const prober = new AnswerProber(`${app.url}/healthz`);
	const measures: Measure[] = [];
	try {
		for (const [what, answer] of Object.entries(hostileAnswers)) {
			daemon.answer = answer;
			await prober.take();
			const until = performance.now() + EACH_MS;
			while (performance.now() < until) {
				await Promise.all(
					['/', '/chains/ALPHA/mempool'].map(async (path) =>
						(await fetch(`${app.url}${path}`)).text()
					)
				);
			}
			const longest = await prober.take();
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
		await prober.stop();
		await app.stop();
		await daemon.stop();
	}
	return measures;
}
