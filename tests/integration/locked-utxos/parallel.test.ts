import { beforeAll, beforeEach, expect, test } from 'vitest';
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import type { DraftResult } from '#lib/server/cross-chain/migration/use-cases/draft.ts';
import { createSelfImports } from '#lib/server/cross-chain/self-import/selfImports.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import type { Sender } from '#lib/server/wallet/transactions/sender.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addressOn, draftBurn, migrationsOver } from '../migration/support.ts';
import { creation, gatewayTo, senderOver } from '../transactions/support.ts';
import { shared } from '../../support/shared.ts';

const LOCKED = 'spends the same coins';

describeOnBothDatabases('drafts of the same moment', (database) => {
	/** Two processes over one database. */
	let senders: [Sender, Sender];
	let engines: [Migrations, Migrations];
	let to: string;
	let tokenid: string;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	beforeAll(async () => {
		const other = { ...database, db: await database.openAnother() };
		senders = [senderOver(database, gateway), senderOver(other, gateway)];
		engines = [migrationsOver(database.db, gateway), migrationsOver(other.db, gateway)];
		to = await addressOn(net, 'BETA');
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'T', '0.00001', 'T');
		tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
	});
	beforeEach(async () => {
		await database.db.deleteFrom('locked_utxos').execute();
	});

	const draft = (engine: Migrations, amount: string): Promise<DraftResult> =>
		draftBurn(engine, { address: to, amount });

	/** The inputs of a draft, as `txid:vout`. */
	const spentBySend = async (id: string): Promise<string[]> =>
		(await senders[0].get(id))!.review.inputs.map(({ txid, vout }) => `${txid}:${vout}`);
	const spentByBurn = async (id: string): Promise<string[]> => {
		const { steps } = (await engines[0].get(id))!;
		return parseTransaction(steps.get('burn')!.hex!).vin.map(({ txid, vout }) => `${txid}:${vout}`);
	};

	/**
	 * Results of drafts that were requested at the same time: the inputs of each, or the sentence that refuses
	 * it.
	 */
	async function outcomes(drafts: readonly Promise<string[] | string>[]) {
		const all = await Promise.all(
			drafts.map(async (one) => {
				try {
					return await one;
				} catch (error) {
					if (!isTransactionError(error)) throw error;
					return error.message;
				}
			})
		);
		const built = all.filter((one) => typeof one !== 'string');
		const refused = all.filter((one) => typeof one === 'string');
		return { built, refused };
	}

	function expectApart({ built, refused }: Awaited<ReturnType<typeof outcomes>>): void {
		const spent = built.flat();
		expect(new Set(spent).size).toBe(spent.length);
		expect(built.length).toBeGreaterThan(0);
		for (const sentence of refused) expect(sentence).toContain(LOCKED);
	}

	const migration = async (drafted: Promise<DraftResult>): Promise<string[] | string> => {
		const result = await drafted;
		if (result.kind === 'drafted') return spentByBurn(result.id);
		return result.kind === 'refused'
			? result.checks
					.flatMap((check) =>
						check.result === 'fail'
							? check.message.code === 'utxos.locked'
								? LOCKED
								: check.message.code
							: []
					)
					.join(' ')
			: JSON.stringify(result);
	};
	const send = async (made: Promise<string>): Promise<string[]> => spentBySend(await made);

	test('are migrations: each gets outputs of its own', async () => {
		const found = await outcomes([
			migration(draft(engines[0], '1.15')),
			migration(draft(engines[1], '1.25')),
			migration(draft(engines[0], '1.35'))
		]);
		expectApart(found);
		expect(found.refused).toEqual([]);
	});

	test('are one migration asked for twice: one draft', async () => {
		const [one, two] = await Promise.all([draft(engines[0], '1.45'), draft(engines[1], '1.45')]);
		expect(one).toMatchObject({ kind: 'drafted' });
		if (one.kind === 'drafted' && two.kind === 'drafted') expect(two.id).toBe(one.id);
		else expect(two).toMatchObject({ kind: 'drafted' });
	});

	test('are of every kind: none has an output of another, and who is refused is told in a sentence', async () => {
		const recipient = net.chains.get('BETA')!.pubkey;
		const transfer = { kind: 'token-transfer', tokenid, recipient, units: 5n } as const;
		const [largest] = (
			await net.rpc<{ txid: string; vout: number; amount: number }[]>('ALPHA', 'listunspent', 1)
		).sort((a, b) => b.amount - a.amount);
		const custom = {
			source: 'ALPHA',
			destination: 'BETA',
			outputs: [`${largest!.txid}:${largest!.vout}`],
			recipients: `${to} 2`,
			raw: '',
			policy: 'automatic'
		} as const;
		const token = { source: 'ALPHA', destination: 'BETA', tokenid, decimals: 0 };
		expectApart(
			await outcomes([
				migration(draft(engines[0], '1.55')),
				migration(engines[1].draftCustom(custom, 'ada')),
				migration(
					engines[0].draft(
						{ ...token, address: recipient, amount: '7', policy: 'automatic' },
						'ada'
					)
				),
				send(senders[0].createToken('ALPHA', creation({ name: 'one' }), 'ada')),
				send(senders[1].createToken('ALPHA', creation({ name: 'two' }), 'bob')),
				send(senders[0].moveToken('ALPHA', transfer, 'ada')),
				send(senders[1].moveToken('ALPHA', { ...transfer, units: 6n }, 'bob')),
				send(senders[0].consolidate('ALPHA', 'ada')).catch((error: unknown) => {
					// The others may have locked all but one.
					if (isTransactionError(error) && error.code === 'transaction.nothing-to-merge')
						return LOCKED;
					throw error;
				})
			])
		);
	});

	test('are self-imports: the second is refused in a sentence', async () => {
		const address = await net.rpc<string>('ALPHA', 'getnewaddress');
		const build = (sender: Sender, amount: bigint): Promise<string[]> =>
			send(
				createSelfImports({ gateway, sender, rights: permissiveRights(gateway) }).build(
					'SELF',
					{ address, amount },
					'ada'
				)
			);
		expectApart(await outcomes([build(senders[0], 115_000_000n), build(senders[1], 5_000n)]));
	});

	test('confirmed together, all that were built go out', async () => {
		const [one, two] = await Promise.all([draft(engines[0], '1.65'), draft(engines[1], '1.75')]);
		const ids = [one, two].flatMap((result) => (result.kind === 'drafted' ? result.id : []));
		expect(ids).toHaveLength(2);
		expect(await Promise.all(ids.map((id, n) => engines[n]!.confirm(id, 'ada', null)))).toEqual([
			{ kind: 'confirmed' },
			{ kind: 'confirmed' }
		]);
		for (const [n, id] of ids.entries()) await engines[n]!.advance(id);
		await net.control.mine('ALPHA');
		for (const [n, id] of ids.entries()) {
			await engines[n]!.advance(id);
			expect((await engines[n]!.get(id))!.steps.get('burn-confirmed')?.doneAt).not.toBeNull();
		}
	});
});
