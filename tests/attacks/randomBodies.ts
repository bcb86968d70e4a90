/** Random bodies for the RPC API, for forms and for the JSON routes without login. */
import fc from 'fast-check';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { Pool } from 'undici';
import type { Target } from './target.ts';

const CALLERS = 24;
/** The maximum time of a response. */
const HANG_MS = 10_000;

const method = fc.oneof(
	fc.constantFrom(
		...Object.entries(daemonMethods)
			.filter(([, { access }]) => access === 'read')
			.map(([name]) => name)
	),
	fc.string({ maxLength: 20 }),
	fc.constantFrom('__proto__', 'constructor', 'stop', '')
);
const value = fc.jsonValue({ maxDepth: 4 });
const rpc = fc
	.record(
		{
			jsonrpc: value,
			id: value,
			method: fc.oneof(method, value),
			params: fc.oneof(fc.array(value), value)
		},
		{ requiredKeys: [] }
	)
	.map((body) => JSON.stringify(body));
const broken = rpc.chain((text) =>
	fc
		.tuple(fc.nat({ max: text.length }), fc.string({ maxLength: 3 }))
		.map(([at, noise]) => text.slice(0, at) + noise + text.slice(at + noise.length))
);
const body = fc.oneof(
	rpc,
	broken,
	fc.array(rpc, { maxLength: 5 }).map((calls) => `[${calls.join(',')}]`),
	value.map((json) => JSON.stringify(json)),
	fc.string({ maxLength: 200 }),
	fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
);
const form = fc
	.array(
		fc.tuple(
			fc.oneof(
				fc.constantFrom('name', 'password', 'next', 'hex', 'chain', 'txid', 'to', 'token'),
				fc.string()
			),
			fc.string({ maxLength: 100 })
		),
		{ maxLength: 6 }
	)
	.map((fields) => new URLSearchParams(fields).toString());

interface Sent {
	what: string;
	status: number;
	text: string;
}

/** An internal error of ours, not a daemon's error for nonsense, which has status 500 as well. */
const isFault = ({ what, status, text }: Sent): boolean =>
	what === 'rpc'
		? text.includes('Komodeck failed') || (status >= 500 && !text.includes('"error":'))
		: status >= 500;

/**
 * @param cases number of bodies, four fifths of them for the RPC API
 * @param seed other seeds make other bodies
 */
export async function randomBodies(
	target: Target,
	cases: number,
	seed: number
): Promise<{ cases: number; faults: string[]; milliseconds: number }> {
	const began = performance.now();
	// Several members, so that none reaches the rate limit.
	const people = await Promise.all(Array.from({ length: 8 }, () => target.person('viewer')));
	const atRpc = fc.sample(body, { numRuns: cases * 0.8, seed });
	const inForms = fc.sample(form, { numRuns: cases * 0.2, seed: seed + 1 });
	const pages = [
		'/decode',
		'/theme',
		'/chains/ALPHA/proof',
		`/api/notary-approvals/${'ab'.repeat(32)}`,
		'/login'
	];
	const types = [
		'application/x-www-form-urlencoded',
		'application/x-www-form-urlencoded; charset=utf-16',
		'multipart/form-data; boundary=x',
		'multipart/form-data',
		'application/json',
		'text/plain',
		'image/png'
	];
	const pool = new Pool(target.url, {
		connections: CALLERS,
		bodyTimeout: HANG_MS,
		headersTimeout: HANG_MS
	});
	const send = async (
		path: string,
		text: string,
		headers: Record<string, string>
	): Promise<Sent> => {
		const answer = await pool.request({ path, method: 'POST', headers, body: text });
		const what = path.startsWith('/api/rpc/') ? 'rpc' : path;
		return { what, status: answer.statusCode, text: await answer.body.text() };
	};
	const sends = [
		...atRpc.map(
			(text, at) => () =>
				send('/api/rpc/ALPHA', text, {
					authorization: `Bearer ${people[at % people.length]?.token}`
				})
		),
		...inForms.map(
			(text, at) => () =>
				send(pages[at % pages.length] ?? '/decode', at % 3 === 0 ? (atRpc[at] ?? '') : text, {
					cookie: people[at % people.length]?.cookie ?? '',
					origin: target.url,
					accept: at % 2 === 0 ? 'application/json' : 'text/html',
					'content-type': types[at % types.length] ?? ''
				})
		)
	];
	const faults: string[] = [];
	let throttled = 0;
	let next = 0;
	const caller = async (): Promise<void> => {
		for (let one = sends[next++]; one !== undefined; one = sends[next++]) {
			const number = next;
			try {
				const sent = await one();
				if (sent.what === 'rpc' && sent.status === 429) throttled += 1;
				if (isFault(sent))
					faults.push(`${number} ${sent.what}: ${sent.status} ${sent.text.slice(0, 200)}`);
			} catch (error) {
				faults.push(`${number}: ${String(error)}`);
			}
		}
	};
	await Promise.all(Array.from({ length: CALLERS }, caller));
	await pool.close();
	if (throttled > 0) faults.push(`${throttled} were refused for their number`);
	return {
		cases: sends.length,
		faults: faults.slice(0, 10),
		milliseconds: performance.now() - began
	};
}
