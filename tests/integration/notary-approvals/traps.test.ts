import { beforeEach, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { opReturn } from '#lib/chain/script.ts';
import {
	parseTransaction,
	serializeTransaction,
	type Transaction
} from '#lib/chain/transaction.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { startAlteringProxy, type Alter } from '../migration/alteringProxy.ts';
import {
	approveBy,
	gatewayToAll,
	giveFromOutside,
	importsOf,
	NOTARIES,
	publishedBurn,
	roomOver
} from './support.ts';
import { shared } from '../../support/shared.ts';

const CHECK = 'migrate_checkburntransactionsource';
const APPROVE = 'migrate_createnotaryapprovaltransaction';
const IMPORT = 'migrate_createimporttransaction';
const NOTARY = NOTARIES[0]!;

/** The text with one hex digit changed. */
const bend = (hex: string, at: number): string =>
	`${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`;

const withTx =
	(member: string, change: (tx: Transaction) => void): Alter =>
	(result) => {
		const tx = parseTransaction(String(result[member]));
		change(tx);
		return { ...result, [member]: bytesToHex(serializeTransaction(tx)) };
	};

describeOnBothDatabases('a daemon that lies to the backup room', (database: TestDatabase) => {
	let id: string;
	let burn: string;
	let amount = 0;
	const net = shared(() => startDevnet());
	const source = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const notary = shared(() => startAlteringProxy(net.daemons.find((one) => one.id === NOTARY)!));
	const gateway = shared(() => gatewayToAll(net, { ALPHA: source.url, [NOTARY]: notary.url }));
	const room = shared(() => roomOver(database.db, gateway));
	beforeEach(async () => {
		amount += 1;
		({ id, txid: burn } = await publishedBurn(net, room, `0.${amount}`));
	});
	const found = async () => (await room.notaryApprovals.published(burn))!;

	/** Ids of the failed checks. */
	async function failures(): Promise<string[]> {
		const { daemon, own, txOutProof } = await room.notaryApprovals.check((await found()).burn);
		const failed = [...daemon, ...own].filter(({ result }) => result === 'fail');
		expect(txOutProof === null).toBe(failed.length > 0);
		return failed.map(({ id: what }) => what);
	}

	test('a sound burn passes, and each lie about it is named', async () => {
		expect(await failures()).toEqual([]);
		const { height, blockhash } = await net.rpc<{ height: number; blockhash: string }>(
			'ALPHA',
			'getrawtransaction',
			burn,
			1
		);
		expect(height).toBeGreaterThan(1);
		const { tx } = await net.rpc<{ tx: string[] }>('ALPHA', 'getblock', blockhash);
		const another = await net.rpc<string>('ALPHA', 'gettxoutproof', [tx[0]]);
		const proof =
			(change: (hex: string) => string): Alter =>
			(result) => ({
				...result,
				TxOutProof: change(String(result['TxOutProof']))
			});
		const lies: readonly (readonly [lie: Alter, named: string[]])[] = [
			[(result) => ({ ...result, SourceSymbol: 'GAMMA' }), ['route']],
			[(result) => ({ ...result, TargetSymbol: 'SELF' }), ['route']],
			[(result) => ({ ...result, TargetCCid: '888' }), ['ccid']],
			[(result) => ({ ...result, tokenid: 'ab'.repeat(32) }), ['token']],
			// The Merkle root of the header begins at byte 36, its time at 100.
			[proof((hex) => bend(hex, 2 * 36)), ['proof', 'block']],
			[proof((hex) => bend(hex, 2 * 100)), ['block']],
			[proof((hex) => `${hex}00`), ['proof']],
			[proof(() => another), ['proof']],
			[proof(() => 'no hex'), ['daemon']]
		];
		for (const [lie, named] of lies) {
			source.alter(CHECK, lie);
			expect(await failures()).toEqual(named);
			const refused = await room.notaryApprovals.approve(await found(), NOTARY, 'nora');
			expect(refused).toMatchObject({ problem: { code: 'burn.checks' } });
		}
		source.alter(CHECK, null);
		expect((await found()).approvals).toEqual([]);
	});

	test('blocks that were searched for an import are not read again at the next look', async () => {
		const destination = await startAlteringProxy(net.chains.get('BETA')!);
		const over = gatewayToAll(net, { BETA: destination.url });
		try {
			const watched = roomOver(database.db, over);
			await net.control.mine('BETA', 610);
			const look = async (): Promise<number> => {
				const before = destination.count('getimports');
				const { own } = await watched.notaryApprovals.check((await found()).burn);
				expect(own.find((one) => one.id === 'unused')).toMatchObject({ result: 'ok' });
				return destination.count('getimports') - before;
			};
			expect(await look()).toBeGreaterThan(600);
			// The newest block may still be reorganized.
			expect(await look()).toBeLessThan(110);
		} finally {
			await over.close();
			await destination.stop();
		}
	});

	test('an import that lies hundreds of blocks behind the burn is found', async () => {
		// More blocks than one look reads.
		await net.control.mine('BETA', 510);
		const approvals: string[] = [];
		for (const one of NOTARIES) approvals.push(await approveBy(net, one, burn));
		await net.control.mine('BETA');
		const { burnHex, payouts } = (await found()).burn;
		const { ImportTxHex } = await net.rpc<{ ImportTxHex: string }>(
			'ALPHA',
			IMPORT,
			burnHex,
			payouts,
			...approvals
		);
		await net.rpc('BETA', 'sendrawtransaction', ImportTxHex);
		await net.control.mine('BETA');
		expect(await failures()).toEqual(['unused']);
	});

	test('other bytes than were published are noticed', async () => {
		source.alter('getrawtransaction', (result) =>
			'hex' in result ? { ...result, hex: bend(String(result['hex']), 20) } : result
		);
		expect(await failures()).toContain('bytes');
		source.alter('getrawtransaction', null);
	});

	test('a source that has not read all blocks is not said to know nothing of the burn', async () => {
		const unknown = { code: -5, message: 'No information available about transaction' };
		source.refuse('getrawtransaction', unknown, 'unheard');
		source.refuse('gettransaction', unknown, 'unheard');
		const said = async () => {
			const { own } = await room.notaryApprovals.check((await found()).burn);
			return own.find(({ id: what }) => what === 'bytes')?.message;
		};
		expect(await said()).toEqual({ code: 'bytes.absent', params: { chain: 'ALPHA' } });
		source.alter('getinfo', (info) => ({ ...info, longestchain: 9_999, tiptime: 1_600_000_000 }));
		expect(await said()).toMatchObject({
			code: 'unavailable',
			params: { error: { code: 'daemon.syncing' } }
		});
		source.alter('getinfo', null);
		source.refuse('getrawtransaction', null);
		source.refuse('gettransaction', null);
	});

	test('an approval that is not what was asked for is not kept, and nothing goes out', async () => {
		const last = (tx: Transaction, script: Uint8Array): void => {
			tx.vout.at(-1)!.script = script;
		};
		const DIFFERS = expect.stringMatching(/^verification\./) as string;
		const lies: readonly (readonly [lie: Alter, code: string])[] = [
			[withTx('NotaryTxHex', (tx) => last(tx, opReturn(hexToBytes('00')))), DIFFERS],
			[withTx('NotaryTxHex', (tx) => (tx.vout[0]!.value = 1n)), DIFFERS],
			[withTx('NotaryTxHex', (tx) => (tx.vout[0]!.script = tx.vout.at(-1)!.script)), DIFFERS],
			[
				withTx('NotaryTxHex', (tx) => (tx.vin[0]!.scriptSig = new Uint8Array(0))),
				'transaction.unsigned'
			],
			[() => ({ NotaryTxHex: '' }), 'transaction.unsigned']
		];
		for (const [lie, code] of lies) {
			notary.alter(APPROVE, lie);
			await expect(
				room.notaryApprovals.approve(await found(), NOTARY, 'nora')
			).rejects.toMatchObject({
				code
			});
		}
		notary.alter(APPROVE, null);
		await net.control.wallet(NOTARY, { locked: true });
		await expect(room.notaryApprovals.approve(await found(), NOTARY, 'nora')).rejects.toMatchObject(
			{
				code: 'transaction.unsigned'
			}
		);
		await net.control.wallet(NOTARY, { locked: false });
		expect(await net.rpc<string[]>('BETA', 'getrawmempool')).toEqual([]);
		expect((await found()).approvals).toEqual([]);
	});

	test('a wallet that is no notary’s, and one that nobody configured for it, approve nothing', async () => {
		expect(await room.notaryApprovals.approve(await found(), 'BETA', 'nora')).toMatchObject({
			problem: { code: 'wallet.other', params: { daemon: 'BETA', chain: 'BETA' } }
		});
		await net.control.fault(NOTARIES[1]!, 'down');
		const wallets = await room.notaryApprovals.wallets(await found());
		expect(wallets.map(({ daemon }) => daemon)).toEqual(NOTARIES);
		expect(wallets.map(({ problem }) => problem === null)).toEqual([true, false, true, true, true]);
		await net.control.fault(NOTARIES[1]!, 'none');
	});

	test('a relay limit that is too small for an approval is told before it is built', async () => {
		const narrow = gatewayToAll(net, {}, 208);
		const small = roomOver(database.db, narrow);
		await expect(
			small.notaryApprovals.approve(await found(), NOTARY, 'nora')
		).rejects.toMatchObject({
			message: expect.stringMatching(/relays 208.*datacarriersize=10001/) as string
		});
		await narrow.close();
	});

	test('an import with other approvals than were collected stops before it is sent', async () => {
		for (const one of NOTARIES) {
			await giveFromOutside(room, burn, await approveBy(net, one, burn));
		}
		await net.control.mine('BETA');
		const approvals = (await found()).approvals.map(({ txid }) => txid);
		source.alter(
			IMPORT,
			withTx('ImportTxHex', (tx) => {
				const internal = (txid: string): string => bytesToHex(hexToBytes(txid).reverse());
				const output = tx.vout.at(-1)!;
				output.script = hexToBytes(
					bytesToHex(output.script).replace(internal(approvals[0]!), internal(approvals[1]!))
				);
			})
		);
		await room.migrations.advance(id);
		const row = async () => (await room.migrations.get(id))!.row;
		// Nothing is sent; the next build may be correct, and is requested after a pause.
		expect(await row()).toMatchObject({
			state: 'backup-collecting',
			reason: { code: 'review.failed' }
		});
		expect(await net.rpc<string[]>('BETA', 'getrawmempool')).toEqual([]);
		source.alter(IMPORT, null);
		await room.migrations.advance(id);
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await row()).state).toBe('done');
		expect(await importsOf(gateway, burn)).toHaveLength(1);
	});
});
