/** A PostgreSQL server that executes a COMMIT whose response is lost, as in a failover or a broken network. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLateEvents } from '#lib/server/access/audit/lateEvents.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { openDatabase, type Db } from '#lib/server/database.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import type { CallDemands } from '#lib/server/access/calls/demands.ts';
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import { describeOnPostgres, setReadOnly } from '../support/database.ts';
import { addPerson, authOver, bySession } from '../support/members.ts';
import { neverSwitchedOff, permissiveCalls } from '../support/permissive.ts';
import { ruledRights } from '../support/ruledRights.ts';

/** How the next COMMIT fails: not executed, or executed without a response. */
type Fault = 'unsent' | 'unanswered';

/** The network in front of a server: it breaks the connection of the next COMMIT. */
async function startNetwork({ hostname: host, port }: URL) {
	const sockets = new Set<Socket>();
	const faults: Fault[] = [];
	const server = createServer((near) => {
		const far = connect({ host, port: Number(port) });
		let fault: Fault | undefined;
		const end = (): void => {
			near.destroy();
			far.destroy();
		};
		for (const socket of [near, far]) {
			sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', end);
		}
		near.on('data', (chunk) => {
			if (chunk.includes('commit\0')) fault = faults.shift();
			if (fault === 'unsent') return end();
			far.write(chunk);
		});
		far.on('data', (chunk) => {
			if (fault === 'unanswered') return end();
			near.write(chunk);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		faults,
		stop() {
			for (const socket of sockets) socket.destroy();
			server.close();
		}
	};
}

describeOnPostgres('what a daemon has done, or was not asked to do,', (database) => {
	let network: Awaited<ReturnType<typeof startNetwork>>;
	let behind: Db;
	let auth: Auth;

	beforeAll(async () => {
		await authOver(database);
		const url = new URL(database.options.url!);
		network = await startNetwork(url);
		url.host = `127.0.0.1:${network.port}`;
		behind = await openDatabase({ url: url.href, dataDir: database.dataDir });
		auth = await authOver({ db: behind, dataDir: database.dataDir });
	});
	afterAll(async () => {
		await auth.audit.stop();
		await behind.close();
		network.stop();
	});

	test.each<[string, Fault[]]>([
		['was stored, but not confirmed', ['unanswered']],
		['was not stored', ['unsent']],
		['was first not stored, and then stored but not confirmed', ['unsent', 'unanswered']]
	])('is in the log once when its event %s', async (target, faults) => {
		const kinds: unknown[] = [];
		const late = createLateEvents({
			audit: auth.audit,
			onError: (error) => kinds.push(databaseErrorKind(error)),
			pause: () => 0
		});
		const expected = faults.slice(0, 1).map(() => 'gone');
		network.faults.push(...faults);
		await late.append({ actor: 'ada', action: 'send.sent', target });
		// A stop tries once more, so the retries are waited for before it.
		await expect
			.poll(async () => (await auth.audit.list({ action: 'send.sent' })).map((one) => one.target))
			.toContain(target);
		await late.stop();
		expect(kinds).toEqual(expected);
		expect(network.faults).toEqual([]);
		const events = await auth.audit.list({ action: 'send.sent' });
		expect(events.filter((one) => one.target === target)).toHaveLength(1);
		expect(await auth.audit.verify()).toMatchObject({ ok: true });
	});

	/** Counts a payment that a member makes twice with the same bytes, of which the second is not sent. */
	async function unsent(ref: string) {
		const { audit } = auth;
		const ada = await addPerson(database, 'admin');
		const gateway = createGateway({ daemons: [] }, { pollEvery: null, refusal: neverSwitchedOff });
		const { rights } = ruledRights({ db: behind, gateway, audit });
		const late = createLateEvents({ audit, onError: () => undefined, pause: () => 0 });
		const { policy } = permissiveCalls(gateway, { audit, rights, late });
		const call: CallDemands = {
			place: 'ALPHA',
			method: { name: 'sendrawtransaction', access: 'broadcast' },
			access: 'broadcast',
			signs: false,
			servers: [],
			wallet: 'ALPHA',
			partlySigned: null,
			task: null,
			facts: () => ({}),
			measure: () =>
				Promise.resolve({
					account: ada.id,
					person: ada.name,
					role: 'admin',
					token: null,
					wallet: 'ALPHA',
					chain: 'ALPHA',
					ref,
					usages: [{ kind: 'coin-send', amount: 7n }],
					recipients: [],
					movements: [],
					doubt: null,
					bytes: null
				})
		};
		const authorized = async () => {
			const decision = await policy.authorizeCall(bySession(ada), call, { requestId: ref });
			if (decision.denial !== null) throw new Error('It was denied.');
			return decision.giveBack;
		};
		await authorized();
		const giveBack = await authorized();
		const claims = async (): Promise<(bigint | null)[]> =>
			(
				await database.db
					.selectFrom('spending_limit_uses')
					.select('claims')
					.where('ref', '=', ref)
					.execute()
			).map((row) => row.claims);
		expect(await claims()).toEqual([2n]);
		return { giveBack, claims, late, gateway };
	}

	test('gives back what an unsent call counted, once the database accepts it', async () => {
		const { giveBack, claims, late, gateway } = await unsent('away');
		await setReadOnly(database.db, true);
		await giveBack();
		expect(await claims()).toEqual([2n]);
		await setReadOnly(database.db, false);
		await expect.poll(claims).toEqual([1n]);
		await late.stop();
		await gateway.close();
	});

	test('gives back once what an unsent call counted, when that was not confirmed', async () => {
		const { giveBack, claims, late, gateway } = await unsent('unconfirmed');
		network.faults.push('unanswered');
		await giveBack();
		await late.stop();
		expect(await claims()).toEqual([1n]);
		await gateway.close();
	});
});
