/** Attacks with headers of requests, and on data that a browser stores. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { outcome, type Attack } from './attack.ts';
import { cookieOf, page, PASSWORD, postForm, type Target } from './target.ts';

/**
 * Sends a request head unchanged and returns the status of each response, until the server closes the
 * connection.
 */
async function statuses({ url }: Target, lines: readonly string[]): Promise<number[]> {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	socket.on('error', () => undefined);
	let text = '';
	socket.on('data', (part: Buffer) => void (text += part.toString('latin1')));
	socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
	await once(socket, 'close');
	return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Sends each head; the attacker succeeds if one gets past the entry server. */
async function through(
	target: Target,
	heads: readonly (readonly string[])[],
	refused: number
): Promise<ReturnType<typeof outcome>> {
	const got: string[] = [];
	for (const lines of heads) {
		const answers = await statuses(target, lines);
		if (answers.length !== 1 || answers[0] !== refused)
			got.push(`${lines.join(' | ')}: ${answers.join()}`);
	}
	return outcome(got.length > 0, got.join('\n'), heads.length);
}

const OTHER_NAMES = [
	...[
		'evil.example',
		'evil.example:3000',
		'EVIL.example.',
		'localhost.evil.example',
		'evil-localhost'
	],
	...[
		'127.0.0.1.nip.io',
		'0.0.0.0',
		'2130706433',
		'0x7f.1',
		'127.1',
		'10.255.255.1',
		'[::]',
		'[::2]'
	]
];

/** Pages that are rendered once for all visitors. */
const SHARED_PATHS = [
	'/',
	'/chains/ALPHA',
	'/chains/ALPHA/blocks',
	'/chains/ALPHA/tokens',
	'/transfers'
];

interface Way {
	/** Cookie of a session. */
	shown?: string;
	/** Host name of the request. */
	host?: string;
	/** Replaces the path of the page. */
	path?: string;
	headers?: Readonly<Record<string, string>>;
}

/** A page as text. */
async function text({ url }: Pick<Target, 'url'>, path: string, way: Way): Promise<string> {
	const { port } = new URL(url);
	const asked = request({
		host: '127.0.0.1',
		port,
		path: way.path ?? path,
		headers: {
			host: `${way.host ?? 'localhost'}:${port}`,
			accept: 'text/html',
			...(way.shown ? { cookie: way.shown } : {}),
			...way.headers
		}
	});
	asked.end();
	const [answer] = (await once(asked, 'response')) as [AsyncIterable<Buffer>];
	const parts: Buffer[] = [];
	for await (const part of answer) parts.push(part);
	return Buffer.concat(parts).toString();
}

export const httpAttacks: readonly Attack[] = [
	{
		name: 'name-that-resolves-here',
		class: 'DNS rebinding',
		run: (target) =>
			through(
				target,
				['/healthz', '/login', '/api/notary-approvals.json', '/api/rpc/ALPHA', '/favicon.svg']
					.flatMap((path) => OTHER_NAMES.map((name) => [`GET ${path} HTTP/1.1`, `Host: ${name}`]))
					.concat([
						['GET http://evil.example/login HTTP/1.1', 'Host: localhost'],
						['GET /login HTTP/1.0', 'Host: evil.example'],
						['GET /login HTTP/1.1', 'Host: evil.example', 'X-Forwarded-Host: localhost'],
						['GET /api/events HTTP/1.1', 'Host: evil.example', 'Upgrade: websocket']
					]),
				421
			)
	},
	{
		name: 'two-hosts',
		class: 'request smuggling',
		run: (target) =>
			through(
				target,
				[
					['Host: evil.example', 'Host: localhost'],
					['Host: localhost', 'Host: localhost'],
					['Host: localhost', 'X-Between: 1', 'hOsT: localhost']
				].map((fields) => ['GET /login HTTP/1.1', ...fields]),
				400
			)
	},
	{
		name: 'address-of-the-caller-in-a-description',
		class: 'information disclosure',
		async run(target) {
			const { token } = await target.person('viewer');
			const seen: string[] = [];
			const paths = ['/api/openapi.json', '/api/openrpc.json', '/api/openrpc-kdf.json'];
			for (const path of [...paths, '/api/notary-approvals.json']) {
				// A different loopback name, to which every server responds.
				const base = target.url.replace('localhost', 'told-by-caller.localhost');
				const asked = request({
					host: '127.0.0.1',
					port: new URL(base).port,
					path,
					headers: { host: new URL(base).host, authorization: `Bearer ${token}` }
				});
				asked.end();
				const [answer] = (await once(asked, 'response')) as [AsyncIterable<Buffer>];
				let text = '';
				for await (const part of answer) text += part.toString();
				if (text.includes('told-by-caller')) seen.push(path);
			}
			return outcome(seen.length > 0, seen.join(' '), paths.length + 1);
		}
	},
	{
		name: 'pages-in-the-cache-of-a-browser',
		class: 'information disclosure',
		async run(target) {
			const { cookie, token } = await target.person('admin');
			const kept: string[] = [];
			const paths = [
				...[
					'/',
					'/chains/ALPHA',
					'/chains/ALPHA/tokens',
					'/migrations',
					'/daemons',
					'/transactions',
					'/nowhere',
					'/decode'
				],
				...[
					'/__data.json',
					'/chains/ALPHA/tokens/__data.json',
					'/transactions/__data.json',
					'/api/search?q=a'
				],
				...[
					'/api/v1/chains',
					'/api/v1/chains/ALPHA/tokens.csv',
					'/api/openapi.json',
					'/admin/members'
				]
			];
			const asks = paths.flatMap(
				(path): { path: string; cookie: string; headers: Record<string, string> }[] => [
					{ path, cookie, headers: {} },
					{ path, cookie: '', headers: { authorization: `Bearer ${token}` } }
				]
			);
			for (const asked of asks) {
				const answer = await page(target, asked.path, asked.cookie, asked.headers);
				await answer.body?.cancel();
				const caching = answer.headers.get('cache-control') ?? '';
				if (!/\bno-store\b/.test(caching)) kept.push(`${asked.path}: ${caching}`);
			}
			return outcome(kept.length > 0, kept.join('\n'), asks.length);
		}
	},
	{
		name: 'page-of-a-member-given-to-visitors',
		class: 'information disclosure',
		async run(target) {
			const { cookie, account } = await target.person('admin');
			const replica = await target.publicReplica();
			const got: string[] = [];
			for (const path of SHARED_PATHS) {
				// Before, at the same time and after: concurrent requests could share a rendered page.
				const asked = ['', cookie, '', cookie, ''];
				const pages = await Promise.all(asked.map((shown) => text(replica, path, { shown })));
				pages.push(await text(replica, path, {}));
				for (const [at, html] of pages.entries()) {
					const isTheirs = asked[at] === cookie;
					if (html.includes(account.name) !== isTheirs) got.push(`${path} at ${at}`);
				}
			}
			return outcome(got.length > 0, got.join('\n'), SHARED_PATHS.length * 6);
		}
	},
	{
		name: 'page-made-for-another-address',
		class: 'tampering',
		async run(target) {
			const replica = await target.publicReplica();
			const got: string[] = [];
			for (const path of SHARED_PATHS) {
				const ways: Way[] = [
					{ host: 'told-by-caller.localhost' },
					{ path: `${path}?q=told-by-caller` },
					{ headers: { cookie: 'theme=told-by-caller; folded=told-by-caller' } },
					{ headers: { 'x-request-id': 'told-by-caller', 'x-forwarded-host': 'told-by-caller' } },
					{ headers: { 'user-agent': 'told-by-caller', 'accept-language': 'told-by-caller' } }
				];
				for (const way of ways) {
					// Immediately afterwards: a cached page would be given to the next request.
					await text(replica, path, way);
					if ((await text(replica, path, {})).includes('told-by-caller')) got.push(path);
				}
			}
			return outcome(got.length > 0, got.join('\n'), SHARED_PATHS.length * 5);
		}
	},
	{
		name: 'browser-after-logout',
		class: 'information disclosure',
		async run(target) {
			const { account } = await target.person('viewer');
			const typed = { name: account.name, password: PASSWORD, next: '/' };
			const cookie = cookieOf(await postForm(target.url, '/login', typed));
			const answer = await postForm(target.url, '/logout', {}, { cookie });
			await answer.body?.cancel();
			const cleared = answer.headers.get('clear-site-data') ?? '';
			const blanked = answer.headers
				.getSetCookie()
				.some((line) => /komodeck_session=;.*max-age=0/i.test(line));
			return outcome(
				!cleared.includes('"cache"') || !cleared.includes('"storage"') || !blanked,
				`${answer.status} ${cleared} ${blanked}`
			);
		}
	}
];
