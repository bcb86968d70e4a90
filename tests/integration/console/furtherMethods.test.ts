/**
 * Read methods outside the registry that an admin allows by name: unchanged responses, for the roles of their
 * access class.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Member } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { createConsole, type Console } from '#lib/server/rpc-proxy/console/console.ts';
import { furtherFor } from '#lib/server/rpc-proxy/console/further.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver, bySession } from '../../support/members.ts';
import { permissiveCalls } from '../../support/permissive.ts';
import { shared } from '../../support/shared.ts';

describeOnBothDatabases('a method that the configuration lets pass', (database) => {
	const net = shared(() => startDevnet());
	let gateway: Gateway;
	let console: Console;
	const members = new Map<Role, Member>();

	beforeAll(async () => {
		const daemonOf = (id: string, further: [string, 'read' | 'notary-query'][]) => {
			const furtherMethods = new Map(further);
			return daemonConfig(net.chains.get(id)!, { purposes: ['read'], furtherMethods });
		};
		gateway = gatewayBefore(
			daemonOf('ALPHA', [
				['oracleslist', 'read'],
				['faucetinfo', 'notary-query']
			]),
			daemonOf('BETA', [])
		);
		const auth = await authOver(database);
		for (const role of ['viewer', 'notary'] as const) {
			members.set(role, bySession(await addPerson(database, role)));
		}
		console = createConsole({
			db: database.db,
			...permissiveCalls(gateway, { audit: auth.audit })
		});
	});
	afterAll(() => gateway.close());

	const call = (role: Role, method: string, daemon = 'ALPHA', params: string[] = []) =>
		console.callFurther(members.get(role)!, {
			method,
			daemon,
			params,
			requestId: 'r',
			who: () => members.get(role)!
		});

	test('is answered with the bytes of the daemon', async () => {
		const outcome = await call('viewer', 'oracleslist');
		expect(outcome).toMatchObject({ kind: 'answered', status: 200, error: null, tree: {} });
		expect(outcome.kind === 'answered' && JSON.parse(outcome.raw)).toMatchObject({ result: [] });
		expect(await call('notary', 'faucetinfo')).toMatchObject({ kind: 'answered', error: null });
	});

	test('is shown as an error where the daemon says one', async () => {
		expect(await call('notary', 'faucetinfo', 'ALPHA', ['1'])).toMatchObject({
			kind: 'answered',
			tree: null,
			error: { code: '-1' }
		});
	});

	test('is offered and answered to the roles of its class only, on the daemons that it was given', async () => {
		expect(furtherFor(gateway, 'viewer').map(({ name }) => name)).toEqual(['oracleslist']);
		expect(furtherFor(gateway, 'notary').map(({ name }) => name)).toEqual([
			'faucetinfo',
			'oracleslist'
		]);
		for (const outcome of [
			await call('viewer', 'faucetinfo'),
			await call('notary', 'oracleslist', 'BETA'),
			await call('notary', 'channelslist')
		]) {
			expect(outcome.kind).toBe('refused');
		}
	});
});
