/**
 * Attacks with requests that are cheap to send and expensive to process, measured by the waiting of other
 * callers.
 */
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { STREAM_LIMITS } from '#lib/server/api/live/pools.ts';
import { TRADING_NODE } from '#lib/server/platform/config/discover.ts';
import { longestWait } from '../support/longestWait.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import type { Target } from './target.ts';

/** Far more than a busy machine adds to a response; the bench measures more precisely. */
const STALL_MS = 1_500;
/** Processing time of a request in which one field alone is expensive, as a multiple of one in which it is not. */
const SLOWER = 2;
/**
 * Requests of which the fastest is taken: the one that had to wait least for other processes. On a busy machine more
 * are sent, as long as they say that one field is expensive.
 */
const TRIES = { least: 15, most: 90 };
/** Milliseconds between two requests of another caller. */
const PAUSE_MS = 25;

/** Whether another caller had to wait, or was no longer served. */
async function stalls(
	target: Target,
	tries: number,
	work: () => Promise<unknown>
): Promise<Outcome> {
	const { longest, answers, failed } = await longestWait(`${target.url}/healthz`, work, PAUSE_MS);
	const seen = `${answers} answers to others, the longest took ${Math.round(longest)} ms ${failed ?? ''}`;
	return outcome(longest > STALL_MS || failed !== null, seen, tries);
}

/** Milliseconds of a call. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
	const begin = performance.now();
	await work();
	return performance.now() - begin;
}

/** Sends a body and accepts any response; a closed connection counts as a response. */
async function send(
	target: Pick<Target, 'url'>,
	path: string,
	body: string,
	headers: Record<string, string>
): Promise<number> {
	try {
		const init = { method: 'POST', redirect: 'manual', headers, body } as const;
		const answer = await fetch(`${target.url}${path}`, init);
		await answer.body?.cancel();
		return answer.status;
	} catch {
		return 0;
	}
}

const LINE = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

export const requestAttacks: readonly Attack[] = [
	{
		name: 'form-of-many-fields',
		class: 'denial of service',
		async run(target) {
			// Without the control this number of fields blocks a server for some seconds, not for minutes.
			const line = await stalls(target, 1, () =>
				send(target, '/login', 'a&'.repeat(800_000), LINE)
			);
			if (line.succeeded) return line;
			const { cookie } = await target.person('viewer');
			// The content type is multipart for the counter, and another one for the parser.
			const type = `multipart/form-data; boundary=x, ${LINE['content-type']}`;
			const headers = { ...LINE, cookie, origin: target.url, 'content-type': type };
			return stalls(target, 2, () => send(target, '/decode', 'a&'.repeat(500_000), headers));
		}
	},
	{
		name: 'form-to-no-page',
		class: 'denial of service',
		async run(target) {
			const { cookie } = await target.person('viewer');
			const { account } = await target.person('viewer');
			const limited = await target.auth.tokens.create(
				{
					account,
					name: 'one method',
					role: 'viewer',
					methods: ['getinfo']
				},
				account
			);
			const callers: Record<string, string>[] = [
				{ cookie, origin: target.url },
				{ authorization: `Bearer ${limited.token}` }
			];
			for (const caller of callers) {
				const shown = await stalls(target, callers.length, () =>
					send(target, '/no/such/page', 'a&'.repeat(800_000), { ...LINE, ...caller })
				);
				if (shown.succeeded) return shown;
			}
			return outcome(false, 'no other request waited', callers.length);
		}
	},
	{
		name: 'batch-of-nothing',
		class: 'denial of service',
		async run(target) {
			const { token } = await target.person('viewer');
			const headers = { authorization: `Bearer ${token}` };
			const wide = `[${'{},'.repeat(4_000_000)}{}]`;
			const toNode = await stalls(target, 1, () =>
				send(target, `/api/rpc/${TRADING_NODE}`, wide, headers)
			);
			if (toNode.succeeded) return toNode;
			return stalls(target, 2, () => send(target, '/api/rpc/ALPHA', wide, headers));
		}
	},
	{
		name: 'password-beside-a-name-without-end',
		class: 'denial of service',
		async run(target) {
			// No link is needed: the form compares the two passwords first.
			const password = 'kq$9Za'.repeat(42);
			const taking = (name: string): Promise<number> =>
				timeOf(() => {
					const body = new URLSearchParams({ name, password, repeat: 'other' });
					return send(target, '/join', body.toString(), LINE);
				});
			let [short, long, tries] = [Infinity, Infinity, 0];
			while (tries < TRIES.least || (tries < TRIES.most && long > SLOWER * short)) {
				short = Math.min(short, await taking('aZ9$kq'));
				long = Math.min(long, await taking('aZ9$kq'.repeat(42)));
				tries += 1;
			}
			const seen = `${short.toFixed(1)} ms with a short name, ${long.toFixed(1)} ms with a long one`;
			return outcome(long > SLOWER * short, seen, 2 * tries);
		}
	},
	{
		name: 'streams-of-one-member',
		class: 'denial of service',
		async run(target) {
			const [greedy, colleague] = [await target.person('viewer'), await target.person('viewer')];
			const ended = new AbortController();
			const held: Response[] = [];
			const open = async (cookie: string): Promise<number> => {
				const init = { headers: { cookie }, signal: ended.signal };
				const answer = await fetch(`${target.url}/api/events`, init);
				// A response without references is garbage collected, which ends it.
				held.push(answer);
				return answer.status;
			};
			try {
				const tries = STREAM_LIMITS.address + 10;
				for (let n = 0; n < tries; n += 10) {
					await Promise.all(Array.from({ length: 10 }, () => open(greedy.cookie)));
				}
				const status = await open(colleague.cookie);
				return outcome(status !== 200, { status, held: held.length }, tries);
			} finally {
				ended.abort();
			}
		}
	},
	{
		name: 'file-gone-under-the-server',
		class: 'denial of service',
		async run(target) {
			const folder = join(target.root, 'build/client/_app/immutable/assets');
			const file = readdirSync(folder).find((name) => name.endsWith('.woff2')) ?? '';
			const path = join(folder, file);
			const ask = (): Promise<number> =>
				fetch(`${target.url}/_app/immutable/assets/${file}`, {
					headers: { 'accept-encoding': 'identity' },
					signal: AbortSignal.timeout(3_000)
				}).then(
					async (answer) => (await answer.arrayBuffer(), answer.status),
					() => 0
				);
			if ((await ask()) !== 200) throw new Error(`${file} is not served.`);
			renameSync(path, `${path}.away`);
			try {
				const status = await ask();
				const health = await fetch(`${target.url}/healthz`).then(
					(answer) => answer.status,
					() => 0
				);
				return outcome(status !== 404 || health !== 200, { file, status, health });
			} finally {
				renameSync(`${path}.away`, path);
			}
		}
	}
];
