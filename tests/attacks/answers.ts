/** Attacks through the responses of a daemon or a trading node, or through their absence. */
import { longestWait } from '../support/longestWait.ts';
import { outcome, type Attack } from './attack.ts';
import { call, page, type Target } from './target.ts';

/** Milliseconds until a page is loaded; stops waiting at `most`. */
async function timeOf(target: Target, path: string, cookie: string, most: number): Promise<number> {
	const began = performance.now();
	const signal = AbortSignal.timeout(most);
	const status = await fetch(`${target.url}${path}`, { headers: { cookie }, signal })
		.then(async (answer) => (await answer.text(), answer.status))
		.catch(() => 0);
	if (status !== 200 && status !== 0) throw new Error(`${path} answered ${status}.`);
	return performance.now() - began;
}

/** The response below blocks the event loop for some seconds if it is parsed there. */
const STALL_MS = 1_000;
/** Milliseconds between two requests of another caller. */
const PAUSE_MS = 25;
/** By then a page shows the last known data. */
const PAGE_MS = 2_500;
/** How long the node delays a call, in milliseconds. */
const SILENT_MS = 6_000;

export const answerAttacks: readonly Attack[] = [
	{
		name: 'flood-of-a-daemon',
		class: 'denial of service',
		async run(target) {
			const { control } = target.devnet;
			const { cookie } = await target.person('viewer');
			await control.fault('ALPHA', 'flood', { method: 'getrawmempool' });
			try {
				// The page stops waiting for the daemon before its response is here: two requests.
				const looks = async (): Promise<void> => {
					for (let look = 0; look < 2; look += 1) {
						await (await page(target, '/', cookie)).text();
						await new Promise((resolve) => {
							setTimeout(resolve, 500);
						});
					}
				};
				const { longest, failed } = await longestWait(`${target.url}/healthz`, looks, PAUSE_MS);
				const seen = `others waited ${longest.toFixed(0)} ms ${failed ?? ''}`;
				return outcome(longest > STALL_MS || failed !== null, seen);
			} finally {
				await control.fault('ALPHA', 'none');
			}
		}
	},
	{
		name: 'answer-to-another-call',
		class: 'tampering',
		async run(target) {
			const { control } = target.devnet;
			const { token } = await target.person('viewer');
			await control.fault('ALPHA', 'other-id', { method: 'getdifficulty' });
			try {
				const body = JSON.stringify({ method: 'getdifficulty', params: [], id: 'mine' });
				const { status, text } = await call(target, token, body);
				return outcome(status === 200, `${status} ${text}`);
			} finally {
				await control.fault('ALPHA', 'none');
				await call(target, token, JSON.stringify({ method: 'getblockcount', params: [], id: 1 }));
			}
		}
	},
	{
		name: 'silent-trading-node',
		class: 'denial of service',
		async run(target) {
			const { control } = target.devnet;
			const { cookie } = await target.person('operator');
			await control.kdfFault('latency', { ms: SILENT_MS });
			let took: number;
			try {
				took = await timeOf(target, '/kdf', cookie, SILENT_MS * 2);
			} finally {
				await control.kdfFault('none');
			}
			// The node counts as silent until its pending calls have been answered.
			for (let tries = 0; tries < 40; tries += 1) {
				const text = await (await page(target, '/kdf', cookie)).text();
				if (!text.includes('does not answer')) break;
				await new Promise((resolve) => {
					setTimeout(resolve, 500);
				});
			}
			return outcome(took > PAGE_MS, `the page took ${took.toFixed(0)} ms`);
		}
	}
];
