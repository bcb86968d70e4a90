/** Attacks through the RPC API for scripts, and on limits of size. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { LIMITS } from '../../src/start/server.ts';
import { outcome, type Attack } from './attack.ts';
import { call, page, type Target } from './target.ts';

const request = (method: string, params = '[]'): string =>
	`{"jsonrpc":"1.0","id":"x","method":${JSON.stringify(method)},"params":${params}}`;
const MiB = 1024 * 1024;
/** The RPC API's refusal of a method by role. */
const BY_ROLE = /may not call/;

/** A member's token with limits. */
async function limitedToken(
	target: Target,
	limits: { methods?: string[]; daemons?: string[]; expiresAt?: number }
): Promise<{ id: string; token: string }> {
	const { account } = await target.person('operator');
	return target.auth.tokens.create(
		{ account, name: 'limited', role: 'operator', ...limits },
		account
	);
}

async function open(target: Target): Promise<Socket> {
	const socket = connect(Number(new URL(target.url).port), 'localhost');
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

/** Whether a connection is still served. */
function isServed(socket: Socket): Promise<boolean> {
	if (socket.destroyed) return Promise.resolve(false);
	return new Promise((resolve) => {
		socket.once('data', () => resolve(true));
		socket.once('close', () => resolve(false));
		socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
	});
}

/** Returns when the server has noticed that there are free connections again. */
async function untilServed(target: Target): Promise<void> {
	for (;;) {
		const socket = await open(target);
		const served = await isServed(socket);
		socket.destroy();
		if (served) return;
	}
}

export const rpcApiAttacks: readonly Attack[] = [
	{
		name: 'token-above-its-person',
		class: 'privilege escalation',
		async run(target) {
			const { account, token } = await target.person('operator');
			await target.auth.members.setRole(null, account.id, 'viewer');
			const { status, text } = await call(target, token, request('tokencreate'));
			return outcome(!BY_ROLE.test(text) && status !== 401, text);
		}
	},
	{
		name: 'revoked-token',
		class: 'replay',
		async run(target) {
			const { account } = await target.person('viewer');
			const { id, token } = await target.auth.tokens.create(
				{ account, name: 'x', role: 'viewer' },
				account
			);
			await target.auth.tokens.revoke(account.id, id, null);
			const { status } = await call(target, token, request('getblockcount'));
			return outcome(status === 200, { status });
		}
	},
	{
		name: 'expired-token',
		class: 'replay',
		async run(target) {
			const end = Date.now() + 200;
			const { token } = await limitedToken(target, { expiresAt: end });
			while (Date.now() <= end) await call(target, token, request('getblockcount'));
			const { status } = await call(target, token, request('getblockcount'));
			return outcome(status === 200, { status });
		}
	},
	{
		name: 'token-beyond-its-methods',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await limitedToken(target, { methods: ['getinfo'] });
			const { status, text } = await call(target, token, request('getblockcount'));
			return outcome(status === 200, text);
		}
	},
	{
		name: 'token-beyond-its-daemons',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await limitedToken(target, { daemons: ['ALPHA'] });
			const { status, text } = await call(target, token, request('getblockcount'), 'BETA');
			return outcome(status === 200, text);
		}
	},
	{
		name: 'forbidden-method-in-a-batch',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await target.person('viewer');
			const body = `[${request('getblockcount')},${request('tokencreate')},${request('getblockcount')}]`;
			const { text } = await call(target, token, body);
			const answers = JSON.parse(text) as { result: unknown; error: { message: string } | null }[];
			if (typeof answers[2]?.result !== 'number') throw new Error('What is allowed did not go on.');
			return outcome(!BY_ROLE.test(answers[1]?.error?.message ?? ''), text);
		}
	},
	{
		name: 'keys-of-the-wallet',
		class: 'information disclosure',
		async run(target) {
			const { token } = await target.person('admin');
			const methods = Object.entries(daemonMethods).filter(([, { access }]) => access === 'never');
			const through: string[] = [];
			for (const [method] of methods) {
				// Too many parameters: if the call gets through, the daemon refuses it, and nothing stops.
				const { text } = await call(target, token, request(method, '[1,2,3,4,5,6,7,8,9]'));
				if (!BY_ROLE.test(text)) through.push(`${method}: ${text}`);
			}
			return outcome(through.length > 0, through.join(' | '));
		}
	},
	{
		name: 'names-of-prototypes',
		class: 'prototype pollution',
		async run(target) {
			const { token } = await target.person('admin');
			const seen: string[] = [];
			for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
				const { status, text } = await call(target, token, request(name));
				if (status !== 404 || !text.includes('"Method not found"')) seen.push(`${name}: ${text}`);
				const member = `{"id":1,"method":"getblockcount","params":[],"${name}":{"method":"stop"}}`;
				const beside = await call(target, token, member);
				if (beside.status !== 200) seen.push(`member ${name}: ${beside.status}`);
			}
			return outcome(seen.length > 0, seen.join(' | '));
		}
	},
	{
		name: 'wild-ids-and-types',
		class: 'request smuggling',
		async run(target) {
			const { token } = await target.person('admin');
			const seen: string[] = [];
			for (const body of [
				'{"id":1,"method":"getblockcount","params":[1 2]}',
				'{"id":1,"method":"getblockcount","params":[}',
				'{"id":01,"method":"getblockcount","params":[]}',
				'{"id":1,,"method":"getblockcount"}',
				'{"id":"\u0001","method":"getblockcount"}',
				'{"id":1,"method":"getblockcount","params":[]',
				'{"id":NaN,"method":"getblockcount"}',
				'[{"id":1,"method":"getblockcount"},]'
			]) {
				const { text } = await call(target, token, body);
				if (!text.includes('"code":-32700')) seen.push(`${body}: ${text}`);
			}
			for (const id of [
				'{}',
				'[]',
				'1e400',
				'-0',
				'"\\ud800"',
				'true',
				'null',
				`"${'i'.repeat(9_000)}"`
			]) {
				const { status } = await call(target, token, `{"id":${id},"method":"getblockcount"}`);
				if (status !== 200) seen.push(`id ${id.slice(0, 20)}: ${status}`);
			}
			for (const method of ['1', 'null', '{}', '[]', 'true', '1.5']) {
				const { status, text } = await call(target, token, `{"id":1,"method":${method}}`);
				if (status !== 400 || !text.includes('-32600')) seen.push(`method ${method}: ${text}`);
			}
			return outcome(seen.length > 0, seen.join(' | '));
		}
	},
	{
		name: 'deep-json',
		class: 'denial of service',
		async run(target) {
			const { token } = await target.person('viewer');
			const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
			// The object around the parameters is the first level.
			const fits = await call(target, token, request('getblockcount', nested(63)));
			if (fits.text.includes('"id":null')) throw new Error(`64 levels were refused: ${fits.text}`);
			// A body that is refused here has no parsed id; a daemon would return the id.
			const { text } = await call(target, token, request('getblockcount', nested(64)));
			const monstrous = await call(target, token, request('getblockcount', nested(100_000)));
			const refused = [text, monstrous.text].every(
				(answer) => answer.includes('-32700') && answer.includes('"id":null')
			);
			return outcome(!refused, `${text} | ${monstrous.text.slice(0, 100)}`);
		}
	},
	{
		name: 'oversized-batch',
		class: 'denial of service',
		async run(target) {
			const { token } = await target.person('viewer');
			const batch = (n: number): string =>
				`[${Array.from({ length: n }, () => request('nosuchmethod')).join(',')}]`;
			const fits = await call(target, token, batch(200));
			if (!fits.text.startsWith('[')) throw new Error(`200 calls were refused: ${fits.text}`);
			const { text } = await call(target, token, batch(201));
			return outcome(text.startsWith('['), text);
		}
	},
	{
		name: 'oversized-call',
		class: 'denial of service',
		async run(target) {
			const { token } = await target.person('viewer');
			const sized = (bytes: number): string => {
				const body = request('nosuchmethod', '["FILL"]');
				return body.replace('FILL', 'a'.repeat(bytes - body.length + 4));
			};
			const fits = await call(target, token, sized(MiB));
			if (fits.status !== 404) throw new Error(`1 MiB was answered ${fits.status}.`);
			const { status } = await call(target, token, sized(MiB + 1));
			return outcome(status !== 413, { status });
		}
	},
	{
		name: 'too-many-header-fields',
		class: 'denial of service',
		async run(target) {
			const fields = Object.fromEntries(
				Array.from({ length: LIMITS.headFields + 1 }, (_, at) => [`x-${at}`, '1'])
			);
			const socket = await open(target);
			const lines = Object.keys(fields).slice(0, LIMITS.headFields - 1);
			const head = ['GET /login HTTP/1.1', 'Host: localhost', 'Accept: text/html'];
			socket.write([...head, ...lines.map((name) => `${name}: 1`), '', ''].join('\r\n'));
			const [answer] = (await once(socket, 'data')) as [Buffer];
			socket.destroy();
			const status = answer.toString('latin1').split(' ', 2)[1];
			return outcome(status !== '431', { status });
		}
	},
	{
		name: 'flood-of-connections',
		class: 'denial of service',
		async run(target) {
			const sockets: Socket[] = [];
			try {
				while (sockets.length < LIMITS.connectionsPerAddress) sockets.push(await open(target));
				const oneMore = await open(target);
				sockets.push(oneMore);
				const served = await isServed(oneMore);
				return outcome(served, { served });
			} finally {
				for (const socket of sockets) socket.destroy();
				await untilServed(target);
			}
		}
	},
	{
		name: 'flood-of-calls',
		class: 'denial of service',
		async run(target) {
			const { token } = await target.person('viewer');
			const batch = `[${Array.from({ length: 200 }, () => request('nosuchmethod')).join(',')}]`;
			let refused = '';
			let batches = 0;
			const flood = async (): Promise<void> => {
				while (refused === '' && batches < 24) {
					batches += 1;
					const { status, text, headers } = await call(target, token, batch);
					if (status === 429) refused = `${headers.get('retry-after')} ${text}`;
				}
			};
			await Promise.all([flood(), flood(), flood(), flood()]);
			if (refused !== '' && !/^\d+ .*wait (?:one second|\d+ seconds)/.test(refused)) {
				throw new Error(`The refusal does not say how long to wait: ${refused}`);
			}
			return outcome(refused === '', { batches, refused });
		}
	},
	{
		name: 'formula-in-an-export',
		class: 'CSV injection',
		async run(target) {
			const { cookie } = await target.person('viewer');
			const csv = await (await page(target, '/api/v1/chains/ALPHA/tokens.csv', cookie)).text();
			if (!csv.includes(FORMULA)) throw new Error(`The token is not in the export: ${csv}`);
			return outcome(!csv.includes(`'${FORMULA}`), csv);
		}
	}
];

/** The name of a token that a spreadsheet would execute. */
export const FORMULA = '=HYPERLINK(0)';
/** A description, and a label, with a script. */
export const SCRIPT = '<script>alert(1)</script>"><img src=x onerror=alert(2)>';

/** Creates a token with these texts on ALPHA and waits until it is indexed. */
export async function plantToken(target: Target): Promise<void> {
	const { hex } = await target.devnet.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		FORMULA,
		'0.00000100',
		SCRIPT
	);
	await target.devnet.rpc('ALPHA', 'sendrawtransaction', hex);
	await target.devnet.control.mine('ALPHA');
}
