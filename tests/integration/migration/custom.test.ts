import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { encodeAddress } from '#lib/chain/address.ts';
import { burnBytes } from '#lib/chain/burnSize.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import {
	parseTransaction,
	serializeTransaction,
	type Transaction
} from '#lib/chain/transaction.ts';
import type { DraftResult } from '#lib/server/cross-chain/migration/use-cases/draft.ts';
import type { CustomInput } from '#lib/server/cross-chain/migration/customRequest.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { forkBundled } from '../../support/forkBundled.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import type { Order } from './engineProcess.ts';
import {
	addressOn,
	burnsOf,
	carry,
	failed,
	gatewayTo,
	idOfDraft,
	migrationsOver,
	paidTo,
	placesOf
} from './support.ts';
import { senderOver } from '../transactions/support.ts';
import { shared } from '../../support/shared.ts';

interface Unspent {
	txid: string;
	vout: number;
	amount: number;
	spendable: boolean;
}

/** Outputs of ALPHA's wallet, the largest first. */
const unspentOf = async (net: Devnet): Promise<Unspent[]> =>
	(await net.rpc<Unspent[]>('ALPHA', 'listunspent'))
		.filter(({ spendable }) => spendable)
		.sort((a, b) => b.amount - a.amount);

const smallestOf = async (net: Devnet): Promise<{ txid: string; vout: number }> => {
	const { txid, vout } = (await unspentOf(net)).at(-1)!;
	return { txid, vout };
};

const nameOf = ({ txid, vout }: Unspent): string => `${txid}:${vout}`;

/** The transaction with the burn moved to the end or to the start of its outputs. */
const reordered = (hex: string, burnLast: boolean): string => {
	const tx = parseTransaction(hex);
	const isBurn = (output: Transaction['vout'][number]): boolean =>
		parseBurn({ ...tx, vout: [output] }) !== null;
	const burn = tx.vout.filter(isBurn);
	const others = tx.vout.filter((output) => !isBurn(output));
	return bytesToHex(
		serializeTransaction({ ...tx, vout: burnLast ? [...others, ...burn] : [...burn, ...others] })
	);
};

describe.each(['fast', 'seed'] as const)('on a network of the profile %s', (profile) => {
	describeOnBothDatabases('a burn of chosen outputs', (database) => {
		let to: string;
		let other: string;
		const net = shared(() => startDevnet({ profile }));
		const gateway = shared(() => gatewayTo(placesOf(net)));
		const migrations = shared(() => migrationsOver(database.db, gateway));
		beforeAll(async () => {
			to = await addressOn(net, 'BETA');
			other = await addressOn(net, 'GAMMA');
		});

		test('spends exactly them first, and pays two recipients to the satoshi', async () => {
			const [first, second] = await unspentOf(net);
			const chosen = [nameOf(second!), nameOf(first!)];
			const drafted = await migrations.draftCustom(
				{
					source: 'ALPHA',
					destination: 'BETA',
					outputs: chosen,
					recipients: `${to}, 1.15\r\n${other} 0.00000001\n`,
					raw: '',
					policy: 'automatic'
				},
				'ada'
			);
			const id = idOfDraft(drafted);
			const { burn, row, steps } = (await migrations.get(id))!;
			expect(row).toMatchObject({ path: 'custom', amount: 115_000_001n, state: 'draft' });
			expect(burn!.inputs.slice(0, 2).map(({ txid, vout }) => `${txid}:${vout}`)).toEqual(chosen);
			expect(burn!.payouts).toEqual([
				{ value: 115_000_000n, address: to },
				{ value: 1n, address: other }
			]);
			expect(burn!.fee).toBeGreaterThan(0n);
			for (const step of ['compose', 'convert', 'fund', 'burn'] as const) {
				expect(steps.get(step)?.hex).toMatch(/^04000080/);
			}
			expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
			expect(await carry(net, migrations, id)).toBe('done');
			const imported = (await migrations.get(id))!.steps.get('import-confirmed')!.txid!;
			expect(await paidTo(net, 'BETA', imported, to)).toBe(115_000_000n);
			expect(await paidTo(net, 'BETA', imported, other)).toBe(1n);
		});

		test('what the chosen output lacks is taken from the largest others, never left to the daemon', async () => {
			const all = await unspentOf(net);
			const smallest = all.at(-1)!;
			const amount = (smallest.amount + 1).toFixed(8);
			const drafted = await migrations.draftCustom(
				{
					source: 'ALPHA',
					destination: 'BETA',
					outputs: [nameOf(smallest)],
					recipients: `${to} ${amount}`,
					raw: '',
					policy: 'automatic'
				},
				'ada'
			);
			const id = idOfDraft(drafted);
			expect(
				drafted.kind === 'drafted' && drafted.checks.map(({ message }) => message.code)
			).toContain('utxos.added');
			const { burn } = (await migrations.get(id))!;
			expect(burn!.inputs.map(({ txid, vout }) => `${txid}:${vout}`).slice(0, 2)).toEqual([
				nameOf(smallest),
				nameOf(all[0]!)
			]);
			await migrations.discard(id, 'ada');
		});

		test('a transaction that was brought along is funded, burned and arrives', async () => {
			const raw = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [to]: 2.5 });
			const drafted = await migrations.draftCustom(
				{
					source: 'ALPHA',
					destination: 'BETA',
					outputs: [],
					recipients: '',
					raw,
					policy: 'automatic'
				},
				'ada'
			);
			const id = idOfDraft(drafted);
			expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
			expect(await carry(net, migrations, id)).toBe('done');
			const imported = (await migrations.get(id))!.steps.get('import-confirmed')!.txid!;
			expect(await paidTo(net, 'BETA', imported, to)).toBe(250_000_000n);
		});

		test('pays more than 25 recipients where the daemon converts that, and says so where it does not', async () => {
			const many = Array.from({ length: 40 }, (_, index) =>
				encodeAddress(new Uint8Array(20).fill(index + 1))
			);
			const drafted = await migrations.draftCustom(
				{
					source: 'ALPHA',
					destination: 'BETA',
					outputs: [nameOf((await unspentOf(net))[0]!)],
					recipients: many.map((address) => `${address} 0.01`).join('\n'),
					raw: '',
					policy: 'automatic'
				},
				'ada'
			);
			if (profile === 'fast') {
				expect(failed(drafted)).toContain('Cannot have more than 50 vins');
				return;
			}
			const id = idOfDraft(drafted);
			const { burn } = (await migrations.get(id))!;
			expect(burn!.payouts).toHaveLength(40);
			expect(Math.abs(burnBytes(burn!.inputs.length) - burn!.size)).toBeLessThan(60);
			await migrations.discard(id, 'ada');
		});

		test('is refused when it leaves its import too little room', async () => {
			const own = await addressOn(net, 'ALPHA');
			const one = parseTransaction(
				await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [own]: 0.5 })
			);
			const raw = { ...one, vout: Array.from({ length: 30 }, () => one.vout[0]!) };
			const funded = await net.rpc<{ hex: string }>(
				'ALPHA',
				'fundrawtransaction',
				bytesToHex(serializeTransaction(raw))
			);
			const signed = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', funded.hex);
			await net.rpc('ALPHA', 'sendrawtransaction', signed.hex);
			await net.control.mine('ALPHA');
			const small = (await unspentOf(net)).filter(({ amount }) => amount === 0.5);
			const burn = async (outputs: readonly Unspent[]): Promise<DraftResult> =>
				migrations.draftCustom(
					{
						source: 'ALPHA',
						destination: 'BETA',
						outputs: outputs.map(nameOf),
						recipients: `${to} 5`,
						raw: '',
						policy: 'automatic'
					},
					'ada'
				);
			const large = await burn(small);
			expect(failed(large)).toContain('utxos.burn-large');
			expect(large.kind === 'refused' && large.checks.at(-1)).toMatchObject({ field: 'outputs' });
			const fits = await burn(small.slice(0, 12));
			expect(failed(fits)).toBe('');
			await migrations.discard(idOfDraft(fits), 'ada');
		});
	});
});

describeOnBothDatabases('before a burn of chosen outputs', (database) => {
	let to: string;
	let burns: string[];
	const net = shared(() => startDevnet());
	const proxy = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: proxy.url })));
	const migrations = shared(() => migrationsOver(database.db, gateway));
	beforeAll(async () => {
		to = await addressOn(net, 'BETA');
		burns = await burnsOf(net, 'ALPHA');
	});

	const draft = async (more: Partial<CustomInput> = {}): Promise<DraftResult> =>
		migrations.draftCustom(
			{
				source: 'ALPHA',
				destination: 'BETA',
				outputs: more.outputs ?? [nameOf((await unspentOf(net))[0]!)],
				recipients: `${to} 1.15`,
				raw: '',
				policy: 'automatic',
				...more
			},
			'ada'
		);

	async function refusal(more: Partial<CustomInput> = {}): Promise<string> {
		const codes = failed(await draft(more));
		const drafts = database.db.selectFrom('migrations').where('state', '=', 'draft');
		expect(await drafts.select('id').execute()).toEqual([]);
		expect(await burnsOf(net, 'ALPHA')).toEqual(burns);
		return codes;
	}

	test('the own chain, an unknown one, another id and no chain are refused', async () => {
		expect(await refusal({ destination: 'ALPHA' })).toContain('chains.same');
		expect(await refusal({ destination: 'OMEGA' })).toContain('chains.not-configured');
		expect(await refusal({ destination: 'GAMMA' })).toContain('ccid.different');
		expect(await refusal({ source: '' })).toContain('source-missing');
	});

	test('wrong recipients are named by their line', async () => {
		const { TokensCCAddress } = await net.rpc<{ TokensCCAddress: string }>('ALPHA', 'tokenaddress');
		for (const [recipients, code] of [
			['', 'recipients-missing'],
			['nobody 1', 'unreadable address.not-base58'],
			[`${to} 1\n${to} 2`, 'line 2 recipient-twice'],
			[`${to}`, 'amount.empty'],
			[`${to} 0`, 'amount-zero'],
			[`${to} 1,5`, 'amount.with-comma'],
			[`${to} 1 2`, 'recipient-line'],
			[`${TokensCCAddress} 1`, 'address.token-'],
			[`${to} 1000000.00000001`, 'amount-above 100000000000000']
		] as const) {
			expect(await refusal({ recipients })).toContain(code);
		}
	});

	test('outputs that are not the wallet’s, or none, are refused', async () => {
		expect(await refusal({ outputs: [] })).toContain('inputs-missing');
		expect(await refusal({ outputs: ['nonsense'] })).toContain('inputs-missing');
		expect(await refusal({ outputs: [`${'ab'.repeat(32)}:0`] })).toContain('utxos.not-own');
	});

	test('a transaction that was brought along is read before anything is done with it', async () => {
		const both = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [to]: 1 });
		const bare = { outputs: [], recipients: '' };
		expect(await refusal({ raw: both })).toContain('raw-and-inputs');
		expect(await refusal({ ...bare, raw: 'zz' })).toContain('raw-not-hex');
		expect(await refusal({ ...bare, raw: both.slice(0, -8) })).toContain('raw-unreadable');
		expect(await refusal({ ...bare, raw: `${both}00` })).toContain('raw-unreadable');
		const data = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { data: 'beef' });
		expect(await refusal({ ...bare, raw: data })).toContain('raw-output-script');
		const poor = await net.rpc<string>('ALPHA', 'createrawtransaction', [await smallestOf(net)], {
			[to]: 1_000
		});
		await expect(net.rpc('ALPHA', 'fundrawtransaction', poor)).rejects.toThrow(
			'Insufficient funds'
		);
		expect(await refusal({ ...bare, raw: poor })).toContain('utxos.inputs-short');
		const nobody = serializeTransaction({ ...parseTransaction(both), vout: [] });
		expect(await refusal({ ...bare, raw: bytesToHex(nobody) })).toContain('raw-no-outputs');
		const old = serializeTransaction({ ...parseTransaction(both), expiryHeight: 5 });
		expect(await refusal({ ...bare, raw: bytesToHex(old) })).toContain('utxos.expired');
		// Its burn would be refused until then, and its outputs would stay locked.
		const lockedTo = (locktime: number): string =>
			bytesToHex(serializeTransaction({ ...parseTransaction(both), locktime }));
		expect(await refusal({ ...bare, raw: lockedTo(4_000) })).toContain('utxos.locked-to-height');
		const in2100 = lockedTo(4_102_444_800);
		expect(await refusal({ ...bare, raw: in2100 })).toContain('utxos.locked-to-time');
	});

	test('change that lands behind the burn is funded again, a bounded number of times', async () => {
		const behind = (result: Record<string, unknown>) => ({
			...result,
			hex: reordered(String(result['hex']), false)
		});
		let bad = 3;
		const before = proxy.count('fundrawtransaction');
		proxy.alter('fundrawtransaction', (result) =>
			bad-- > 0 ? behind(result) : { ...result, hex: reordered(String(result['hex']), true) }
		);
		const drafted = await draft();
		expect(proxy.count('fundrawtransaction') - before).toBe(4);
		await migrations.discard(idOfDraft(drafted), 'ada');

		proxy.alter('fundrawtransaction', behind);
		expect(await refusal()).toContain('review.burn-not-last');
		expect(proxy.count('fundrawtransaction') - before).toBe(4 + 16);
		proxy.alter('fundrawtransaction', null);
	});

	const withHex =
		(member: string, change: (tx: Transaction) => void) =>
		(result: Record<string, unknown>): Record<string, unknown> => {
			const tx = parseTransaction(String(result[member]));
			change(tx);
			return { ...result, [member]: bytesToHex(serializeTransaction(tx)) };
		};

	test.each<[string, string, (result: Record<string, unknown>) => Record<string, unknown>, string]>(
		[
			[
				'burns more',
				'migrate_converttoexport',
				withHex('exportTx', (tx) => {
					tx.vout[0]!.value += 1n;
				}),
				'review.wrong-burn-amount'
			],
			[
				'has other payouts',
				'migrate_converttoexport',
				(result) => ({ ...result, payouts: '00' }),
				'review.other-payouts'
			],
			[
				'converts to nothing',
				'migrate_converttoexport',
				(result) => ({ ...result, exportTx: '' }),
				'burn.not-built'
			],
			[
				'drops the chosen output',
				'fundrawtransaction',
				withHex('hex', (tx) => {
					tx.vin[0]!.vout += 1;
				}),
				'review.funded-other-inputs'
			],
			[
				'signs nothing',
				'signrawtransaction',
				(result) => ({ ...result, hex: '' }),
				'transaction.unsigned'
			],
			[
				'signs another transaction',
				'signrawtransaction',
				withHex('hex', (tx) => {
					tx.vout[0]!.value -= 1n;
				}),
				'review.signed-other'
			],
			[
				'spoils a signature',
				'signrawtransaction',
				withHex('hex', (tx) => {
					tx.expiryHeight += 1;
				}),
				'verification.signature-invalid'
			]
		]
	)('a daemon that %s is stopped, and named', async (_, method, change, words) => {
		// The change is placed before the burn, so that only this trap is armed.
		proxy.alter('fundrawtransaction', (result) => ({
			...result,
			hex: reordered(String(result['hex']), true)
		}));
		proxy.alter(method, change);
		expect(await refusal()).toContain(words);
		proxy.alter(method, null);
		proxy.alter('fundrawtransaction', null);
	});

	test('a locked wallet is named', async () => {
		const outputs = [nameOf((await unspentOf(net))[0]!)];
		await net.control.wallet('ALPHA', { locked: true });
		expect(await refusal({ outputs })).toMatch(/locked/);
		await net.control.wallet('ALPHA', { locked: false });
	});

	test('a reviewed burn keeps its outputs until it is given up', async () => {
		const id = idOfDraft(await draft());
		expect(failed(await draft({ recipients: `${to} 2` }))).toContain('utxos.locked');
		const sender = senderOver(database, gateway);
		const { burn } = (await migrations.get(id))!;
		const merge = await sender.consolidate('ALPHA', 'ada');
		const merged = (await sender.get(merge))!.review.inputs.map(
			({ txid, vout }) => `${txid}:${vout}`
		);
		expect(merged).not.toContain(nameOf({ ...burn!.inputs[0]!, amount: 0, spendable: true }));
		await sender.discard(merge, 'ada');
		await migrations.discard(id, 'ada');
		const again = await draft({ recipients: `${to} 2` });
		await migrations.discard(idOfDraft(again), 'ada');
	});

	test('outputs that went elsewhere meanwhile stop the burn; nothing is sent', async () => {
		const id = idOfDraft(await draft());
		const [largest] = await unspentOf(net);
		await net.rpc('ALPHA', 'sendtoaddress', to, largest!.amount - 1);
		await net.control.mine('ALPHA');
		const confirmed = await migrations.confirm(id, 'ada', null);
		expect(confirmed.kind).toBe('refused');
		expect((await migrations.get(id))!.row).toMatchObject({ state: 'preflight-failed' });
		expect(await burnsOf(net, 'ALPHA')).toEqual(burns);
		await migrations.discard(id, 'ada');
	});

	test('a server killed after each of the first writes burns once', async () => {
		// A crash leaves the same rows in both databases, so only one of them runs all cases.
		for (const dieAfter of database.dialect === 'SQLite' ? [1, 2, 3, 4] : [3]) {
			const before = await burnsOf(net, 'ALPHA');
			const id = idOfDraft(await draft({ recipients: `${to} 0.0${dieAfter}` }));
			expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
			const order: Order = { database: database.options, places: placesOf(net), id, dieAfter };
			const child = await forkBundled(PROCESS, order);
			child.on(
				'message',
				() => void net.control.mine('ALPHA').then(() => child.connected && child.send('go'))
			);
			const signal = await new Promise((resolve) => child.once('exit', (_, why) => resolve(why)));
			expect(signal).toBe('SIGKILL');
			const later = migrationsOver(database.db, gateway, { clock: () => Date.now() + 3_600_000 });
			await later.advance(id);
			await net.control.mine('ALPHA');
			await later.advance(id);
			const { row } = (await later.get(id))!;
			const burned = (await burnsOf(net, 'ALPHA')).filter((txid) => !before.includes(txid));
			expect(burned).toEqual([row.burn_txid]);
		}
	});
});

const PROCESS = fileURLToPath(new URL('./engineProcess.ts', import.meta.url));
