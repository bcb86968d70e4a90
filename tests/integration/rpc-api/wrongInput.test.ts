/**
 * Every parameter of every method with every kind of wrong value. The RPC API adds no checks of its own: the
 * daemon's own response is returned byte for byte, and nothing hangs or breaks.
 */
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeParams } from '#lib/rpc/codec.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import type { Method } from '#lib/rpc/method.ts';
import { encodeDialect } from '#lib/server/chains/daemon/encodeDialect.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { createCallBudget } from '#lib/server/access/calls/budget.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { byToken, permissiveCalls } from '../../support/permissive.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';

/** An address of a network with another version byte, and an address for tokens. */
const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const MODULE = 'RRPpWbVdxcxmhx4xnWnVZFDfGc9p1177ti';

/** Wrong values for parameters, as JSON texts. */
const WRONG: readonly string[] = [
	'null',
	'true',
	'[]',
	'{}',
	'""',
	'" "',
	'"zz"',
	'"abc"',
	'"0"',
	'"-1"',
	'"1e3"',
	'"0.123456789"',
	'"1000000.00000001"',
	'"99999999999999999999"',
	'"ALPHA"',
	'"NOSUCHCHAIN"',
	`"${BITCOIN}"`,
	`"${MODULE}"`,
	`"${'z'.repeat(64)}"`,
	`"${'00'.repeat(32)}"`,
	`"${'ab'.repeat(20_000)}"`,
	`"${'🦎'.repeat(2_000)}"`,
	'0',
	'-1',
	'1.5',
	'1e3',
	'2147483648',
	'99999999999999999999',
	'0.123456789'
];

/** Methods whose response differs each time, or depends on earlier calls. */
const CHANGING: ReadonlySet<string> = new Set([
	'getinfo',
	'getpeerinfo',
	'getnettotals',
	'getnewaddress',
	'setpubkey'
]);

interface Case {
	method: DaemonMethod;
	/** JSON texts. */
	params: readonly string[];
}

/** Parameters of a successful call, else values of the right kind. */
function rightParams(method: DaemonMethod, dialect: 'komodod' | 'seed'): string[] {
	const { examples, params } = daemonMethods[method] as unknown as Method;
	const longest = [...examples].sort((a, b) => b.length - a.length)[0];
	if (longest !== undefined) {
		return encodeParams(method, longest as never, dialect).map((value) => stringifyJson(value));
	}
	return params.map(({ kind }) => (kind === 'integer' || kind === 'level' ? '1' : '"1"'));
}

/** Cases with one wrong parameter each, and one case with an additional parameter. */
function casesOf(method: DaemonMethod, dialect: 'komodod' | 'seed'): Case[] {
	const right = rightParams(method, dialect);
	const wrong = right.flatMap((_, index) =>
		WRONG.map((value) => ({ method, params: right.with(index, value) }))
	);
	return [...wrong, { method, params: [...right, '"one too many"'] }, { method, params: [] }];
}

describe.each(['fast', 'seed'] as const)(
	'wrong parameters, on daemons of the profile %s',
	(profile) => {
		const dialect = profile === 'seed' ? 'seed' : 'komodod';
		let net: Devnet;
		let gateway: Gateway;
		let server: RpcApiServer;
		/** Keep-alive connections for six thousand pairs of calls. */
		let rpcApi: Pool;
		let daemon: Pool;
		let authorization: string;
		beforeAll(async () => {
			net = await startDevnet({ profile });
			const alpha = net.chains.get('ALPHA')!;
			gateway = gatewayBefore(daemonConfig(alpha));
			server = await serveRpcApi({
				...permissiveCalls(gateway),
				budget: createCallBudget(openOwnBudget, { callsPer10s: 1_000_000 }),
				identify: () => Promise.resolve(byToken({ id: 'a', name: 'ada', role: 'admin' }))
			});
			rpcApi = new Pool(new URL(server.url).origin, { connections: 1 });
			daemon = new Pool(alpha.url, { connections: 1 });
			authorization = `Basic ${Buffer.from(`${alpha.user}:${alpha.password}`).toString('base64')}`;
		});
		afterAll(async () => {
			await Promise.all([rpcApi.destroy(), daemon.destroy()]);
			await server.stop();
			await gateway.close();
			await net.stop();
		});

		const bodyOf = (method: string, params: string): string =>
			`{"jsonrpc":"1.0","id":"wrong","method":"${method}","params":${params}}`;

		async function ask(
			pool: Pool,
			path: string,
			body: string
		): Promise<{ status: number; text: string }> {
			const headers = { authorization };
			const answer = await pool.request({ path, method: 'POST', headers, body });
			return { status: answer.statusCode, text: await answer.body.text() };
		}

		test('get the daemon’s own answer through the RPC API', { timeout: 120_000 }, async () => {
			const methods = Object.keys(daemonMethods) as DaemonMethod[];
			const cases = methods
				.filter((method) => daemonMethods[method].access !== 'never' && !CHANGING.has(method))
				.flatMap((method) => casesOf(method, dialect));
			expect(cases.length).toBeGreaterThan(3_000);
			const different: string[] = [];
			for (const { method, params } of cases) {
				const asked = bodyOf(method, `[${params.join(',')}]`);
				const answer = await ask(rpcApi, '/api/rpc/ALPHA', asked);
				const { text } = answer;
				const straight = bodyOf(method, encodeDialect(method, params, dialect));
				const own = await ask(daemon, '/', straight);
				const same = answer.status === own.status && text === own.text;
				// Built transactions differ from call to call: both calls must have built one.
				const built =
					daemonMethods[method].access !== 'read' && answer.status === 200 && own.status === 200;
				if (!same && !built) {
					different.push(
						`${method} ${params.join(',').slice(0, 80)}: ${text.slice(0, 120)} / ${own.text.slice(0, 120)}`
					);
				}
			}
			expect(different).toEqual([]);
			expect(await net.rpc('ALPHA', 'getblockcount')).toBeGreaterThan(0);
		});
	}
);
