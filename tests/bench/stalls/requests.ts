/** Measures how long other callers wait while one sends requests that are expensive to process. */
import { longestWait } from '../../support/longestWait.ts';
import { newToken } from '../rpc.ts';
import { startApp } from '../processes.ts';
import { ms, type Measure } from '../table.ts';
import { SHAPES, type Shape } from './shapes.ts';

const GOAL_MS = 200;
/** The maximum total time of one shape. */
const BOUND_MS = 20_000;
const TIMES = 3;

/** Sends it; a closed connection counts as a response. */
async function send(url: string, { path, as, body, type }: Shape, token: string): Promise<void> {
	const headers: Record<string, string> = { 'content-type': type, accept: 'text/html' };
	if (as === 'token') headers['authorization'] = `Bearer ${token}`;
	const signal = AbortSignal.timeout(Math.floor(BOUND_MS / TIMES));
	try {
		const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
		await answer.arrayBuffer();
	} catch {
		// Only the waiting of other callers is measured.
	}
}

export async function measureRequests(): Promise<Measure[]> {
	const app = await startApp(null);
	try {
		const token = newToken(app);
		const measures: Measure[] = [];
		for (const shape of SHAPES) {
			const { longest, failed } = await longestWait(`${app.url}/healthz`, async () => {
				for (let n = 0; n < TIMES; n += 1) await send(app.url, shape, token);
			});
			measures.push({
				what: `longest wait of others, ${shape.what}`,
				figure: failed ?? ms(longest),
				goal: `<= ${GOAL_MS} ms`,
				met: failed === null && longest <= GOAL_MS
			});
		}
		return measures;
	} finally {
		await app.stop();
	}
}
