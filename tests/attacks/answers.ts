/** Attacks by what a daemon or a trading node answers, or does not. */
import { longestWait } from '../support/longestWait.ts';
import { outcome, type Attack } from './attack.ts';
import { call, page, type Target } from './target.ts';

/** Milliseconds until a page is here; it is given up at `most`. */
async function timeOf(target: Target, path: string, cookie: string, most: number): Promise<number> {
	const began = performance.now();
	const signal = AbortSignal.timeout(most);
	const status = await fetch(`${target.url}${path}`, { headers: { cookie }, signal })
		.then(async (answer) => (await answer.text(), answer.status))
		.catch(() => 0);
	if (status !== 200 && status !== 0) throw new Error(`${path} answered ${status}.`);
	return performance.now() - began;
}

/** A stall of the event loop by the answer below lasts some seconds where it is read there. */
const STALL_MS = 1_000;
/** Between two looks of somebody else. */
const PAUSE_MS = 25;
/** A page shows what is known by then. */
const PAGE_MS = 2_500;
/** So long the node keeps a call waiting. */
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
				// The page gives up on the daemon sooner than its answer is here: two looks.
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
			// Until what is under way has been answered, the node counts as silent.
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
