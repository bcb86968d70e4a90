import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { reasons } from '#lib/messages/migration/reasons.ts';
import { tokenFaults } from '#lib/messages/pages/tokenForms.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import type { DraftResult } from '#lib/server/cross-chain/migration/use-cases/draft.ts';
import { canPublish } from '#lib/server/cross-chain/migration/use-cases/publish.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import {
	carry,
	draftBurn,
	failed,
	gatewayTo,
	idOfDraft,
	migrationsOver,
	placesOf
} from './support.ts';
import { shared } from '../../support/shared.ts';

const SUPPLY = '0.00001';
const NFT_DATA = 'f17b22617274223a226b6f6d6f6465636b227d';

/** Creates a token on ALPHA and mines it. */
async function makeToken(
	net: Devnet,
	name: string,
	description: string,
	data?: string
): Promise<string> {
	const seed = (await net.control.state()).profile === 'seed';
	const amount = data === undefined ? SUPPLY : '0.00000001';
	const supply = seed ? Number(amount) : amount;
	const { hex } = await net.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		...(data === undefined ? [name, supply, description] : [name, supply, description, data])
	);
	const tokenid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await net.control.mine('ALPHA');
	return tokenid;
}

const unitsOf = async (net: Devnet, chain: string, tokenid: string, pubkey: string) =>
	Number(
		(await net.rpc<{ balance: number | string }>(chain, 'tokenbalance', tokenid, pubkey)).balance
	);

describe.each(['fast', 'seed'] as const)('on a network of the profile %s', (profile) => {
	describeOnBothDatabases('a token carried from ALPHA to BETA', (database) => {
		let recipient: string;
		const net = shared(() => startDevnet({ profile }));
		const gateway = shared(() => gatewayTo(placesOf(net)));
		beforeAll(() => {
			recipient = net.chains.get('BETA')!.pubkey;
		});

		test.each([
			['fungible', undefined, '400', 600],
			['non-fungible', NFT_DATA, '1', 0]
		])(
			'%s units arrive exactly, with name, supply, data and where they came from',
			async (kind, data, amount, left) => {
				const migrations = migrationsOver(database.db, gateway);
				const description = `a ${kind} token that travels`;
				const tokenid = await makeToken(net, `Traveller ${kind}`, description, data);
				const drafted = await draftBurn(migrations, { address: recipient, amount, tokenid });
				expect(drafted).toMatchObject({ kind: 'drafted' });
				const warned = drafted.kind === 'drafted' ? drafted.checks : [];
				expect(warned.some(({ message }) => message.code === 'token.fungible')).toBe(
					data === undefined
				);
				const id = idOfDraft(drafted);
				const view = (await migrations.get(id))!;
				expect(view.burn).toMatchObject({ amount: BigInt(amount), unitsBack: BigInt(left) });
				expect(view.row).toMatchObject({ token_name: `Traveller ${kind}`, tokenid });
				expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
				expect(await carry(net, migrations, id)).toBe('done');
				const { steps } = (await migrations.get(id))!;
				const imported = steps.get('import-confirmed')!.txid!;
				const info = await net.rpc<Record<string, unknown>>('BETA', 'tokeninfo', imported);
				expect(info).toMatchObject({
					tokenid: imported,
					name: `Traveller ${kind}`,
					description,
					IsImported: 'yes',
					sourceChain: 'ALPHA',
					sourceTokenId: tokenid
				});
				expect(info['data']).toBe(data);
				expect(await unitsOf(net, 'BETA', imported, recipient)).toBe(Number(amount));
				const own = net.chains.get('ALPHA')!.pubkey;
				expect(await unitsOf(net, 'ALPHA', tokenid, own)).toBe(left);
			}
		);
	});
});

describeOnBothDatabases('before a token is burned', (database) => {
	let recipient: string;
	let tokenid: string;
	let nft: string;
	const net = shared(() => startDevnet());
	const alpha = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const beta = shared(() => startAlteringProxy(net.chains.get('BETA')!));
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: alpha.url, BETA: beta.url })));
	const migrations = shared(() => migrationsOver(database.db, gateway));
	beforeAll(async () => {
		recipient = net.chains.get('BETA')!.pubkey;
		tokenid = await makeToken(net, 'Trapped', 'held back');
		nft = await makeToken(net, 'Only one', 'held back', NFT_DATA);
	});

	const draft = (more: Partial<Parameters<Migrations['draft']>[0]> = {}): Promise<DraftResult> =>
		draftBurn(migrations, { address: recipient, amount: '5', tokenid, ...more });

	test.each([
		['fungible', false],
		['non-fungible', true]
	])(
		'the burn of a %s one that no notarization can prove any more says what is left',
		async (kind, approvable) => {
			const made = await makeToken(net, 'Stranded', kind, approvable ? NFT_DATA : undefined);
			const id = idOfDraft(await draft({ tokenid: made, amount: '1' }));
			expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
			await migrations.advance(id);
			await net.control.mine('ALPHA', NOTARIZATION_WINDOW + 1);
			for (let look = 0; look < 3; look += 1) await migrations.advance(id);
			const view = (await migrations.get(id))!;
			expect(view.row).toMatchObject({
				state: 'stuck',
				reason: { code: 'back-notarization.missed' }
			});
			expect(canPublish(view)).toBe(approvable);
			const told = reasons.text(view.row.reason!);
			expect(told.includes('request notary approvals')).toBe(approvable);
			expect(told.includes('no burns of fungible tokens')).toBe(!approvable);
		}
	);

	test('notaries are asked for non-fungible ones only, and a setting stops all others', async () => {
		const forbidding = migrationsOver(database.db, gateway, { fungibleTokens: false });
		const wish = { address: recipient, amount: '1' };
		const stopped = await draftBurn(forbidding, { ...wish, tokenid });
		expect(failed(stopped)).toContain('token.fungible-forbidden');
		const other = await draftBurn(forbidding, { ...wish, tokenid: nft });
		expect(failed(other)).toBe('');
		await database.db.deleteFrom('migrations').execute();
		const approved = await draft({ ...wish, tokenid, approvals: true });
		expect(failed(approved)).toContain('token.fungible-approvals');
		const proven = await draft({ ...wish, tokenid: nft, approvals: true });
		expect(failed(proven)).toBe('');
		expect((await migrations.get(idOfDraft(proven)))!.row.path).toBe('backup');
		await database.db.deleteFrom('migrations').execute();
	});

	test.each(['addressIndex', 'spentIndex'])(
		'a destination that answers for no token, without its %s, is refused: what arrives could not be compared',
		async (index) => {
			await net.control.buildingIndexes('BETA', { [index]: false });
			try {
				const refused = failed(await draft());
				expect(refused).toContain('token.not-set-up');
				expect(refused).toContain('BETA');
			} finally {
				await net.control.buildingIndexes('BETA', { [index]: true });
			}
			expect(await database.db.selectFrom('migrations').select('id').execute()).toEqual([]);
		}
	);

	test('a token in UTXOs too small for a burn is refused with the way to join them, and goes then', async () => {
		const own = net.chains.get('ALPHA')!.pubkey;
		const many = await makeToken(net, 'Scattered', 'in pieces');
		const transfer = async (amount: string): Promise<void> => {
			const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokentransfer', many, own, amount);
			await net.rpc('ALPHA', 'sendrawtransaction', hex);
			await net.control.mine('ALPHA');
		};
		await transfer('70');
		const refused = await draft({ amount: '1000', tokenid: many });
		expect(failed(refused)).toContain('token.scattered');
		expect(refused.kind === 'refused' && refused.checks.at(-1)).toMatchObject({
			field: 'amount',
			remedy: {
				code: 'join-token',
				href: `/chains/ALPHA/token/${many}/transfer?recipient=${own}`
			}
		});
		await transfer('1000');
		const drafted = await draft({ amount: '1000', tokenid: many });
		await migrations.discard(idOfDraft(drafted), 'ada');
		await database.db.deleteFrom('migrations').execute();
	});

	test('units that leave the wallet between the checks and the build are said to be too few', async () => {
		const few = await makeToken(net, 'Going', 'away meanwhile');
		let asked = 0;
		alpha.alter('tokenbalance', (answer) => {
			asked += 1;
			return asked === 1 ? { ...answer, balance: 5_000 } : answer;
		});
		const refused = await draft({ amount: '2000', tokenid: few });
		alpha.alter('tokenbalance', null);
		expect(failed(refused)).toContain('token.balance-short');
		expect(failed(refused)).not.toContain('token.scattered');
		expect(refused.kind === 'refused' && refused.checks.at(-1)?.message.params).toEqual({
			chain: 'ALPHA',
			balance: '1000',
			amount: '2000'
		});
		expect(await database.db.selectFrom('migrations').select('id').execute()).toEqual([]);
	});

	test.each([
		['two UTXOs that only together pay the import fee are not enough', [9_999n, 9_999n], true],
		['one UTXO that pays it and no more is', [10_000n], false]
	])('%s', async (_, amounts, isRefused) => {
		alpha.alter('listunspent', ({ 0: row }) => {
			const rows = amounts.map((satoshi, vout) => ({
				...(row as object),
				vout,
				amount: Number(satoshi) / 1e8
			}));
			return rows as unknown as Record<string, unknown>;
		});
		const drafted = await draft();
		alpha.alter('listunspent', null);
		expect(failed(drafted).includes('funds.short-for-token')).toBe(isRefused);
		await database.db.deleteFrom('migrations').execute();
	});

	test('an address, a misspelt key, the burn key and the key of the module receive nothing', async () => {
		expect(failed(await draft({ address: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92' }))).toContain(
			tokenFaults.recipientIsAddress
		);
		expect(failed(await draft({ address: `02${'ab'.repeat(31)}` }))).toContain(
			tokenFaults.recipientNoKey
		);
		expect(failed(await draft({ address: `02${'de ad'.replace(' ', '').repeat(16)}` }))).toContain(
			tokenFaults.recipientBurns
		);
	});

	test('units that the wallet does not hold, parts of a unit and two of one are refused', async () => {
		expect(failed(await draft({ amount: '1001' }))).toContain('token.balance-short');
		expect(failed(await draft({ amount: '1.5' }))).toContain('amount.too-many-decimals');
		expect(failed(await draft({ amount: '0' }))).toContain('amount.zero');
		expect(failed(await draft({ tokenid: nft, amount: '2' }))).toContain('token.one-unit');
		expect(failed(await draft({ tokenid: 'abc' }))).toContain('token-missing');
		expect(await database.db.selectFrom('migrations').select('id').execute()).toEqual([]);
	});

	test('a token too large for the import is refused before anything is built', async () => {
		const data = `f1${'00'.repeat(4_700)}`;
		const large = await makeToken(net, 'Heavy', 'does not fit', data);
		const built = alpha.count('migrate_createburntransaction');
		expect(failed(await draft({ tokenid: large, amount: '1' }))).toContain('token.too-large');
		// Only the test call that finds out whether the daemon builds burns of tokens.
		expect(alpha.count('migrate_createburntransaction')).toBe(built + 1);
		const wide = await makeToken(net, 'Wide', 'just fits', `f1${'00'.repeat(2_500)}`);
		const drafted = await draft({ tokenid: wide, amount: '1' });
		expect(drafted.kind === 'drafted' && drafted.checks).toContainEqual(
			expect.objectContaining({ id: 'token-size', result: 'warn' })
		);
		await migrations.discard(idOfDraft(drafted), 'ada');
	});

	test.each<[string, () => Promise<string>, string]>([
		[
			'another key on the destination',
			() => built({ address: net.chains.get('GAMMA')!.pubkey }),
			'review.token-wrong-recipient'
		],
		['fewer units', () => built({ amount: '4' }), 'review.token-wrong-amount'],
		['another token', () => built({ tokenid: nft, amount: '1' }), 'review.other-token'],
		['another chain', () => built({ destination: 'BETB' }), 'review.wrong-destination']
	])('a daemon that burns for %s is stopped, and named', async (_, build, words) => {
		const other = JSON.parse(await build()) as Record<string, unknown>;
		alpha.alter('migrate_createburntransaction', () => other);
		// The test call for token support returns a burn: that means yes.
		expect(failed(await draft())).toContain(words);
		alpha.alter('migrate_createburntransaction', null);
	});

	async function built(
		more: Partial<{ destination: string; address: string; amount: string; tokenid: string }>
	): Promise<string> {
		const ask = { destination: 'BETA', address: recipient, amount: '5', tokenid, ...more };
		return JSON.stringify(
			await net.rpc(
				'ALPHA',
				'migrate_createburntransaction',
				ask.destination,
				ask.address,
				ask.amount,
				ask.tokenid
			)
		);
	}

	test('what arrived is compared with what was burned: another name stops the migration', async () => {
		const id = idOfDraft(await draft({ tokenid: nft, amount: '1' }));
		await migrations.confirm(id, 'ada', null);
		beta.alter('tokeninfo', (result) => ({ ...result, name: 'Somebody else' }));
		expect(await carry(net, migrations, id)).toBe('stuck');
		expect((await migrations.get(id))!.row.reason).toMatchObject({
			code: 'review.failed',
			params: {
				error: {
					code: 'review.arrived-other',
					params: { fact: 'name', found: 'Somebody else', burned: 'Only one' }
				}
			}
		});
		beta.alter('tokeninfo', null);
		expect(await migrations.retry(id, 'ada')).toBe(true);
		expect(await carry(net, migrations, id)).toBe('done');
	});
});

describeOnBothDatabases('on release 0.9.0', (database) => {
	const net = shared(() =>
		startDevnet({
			profile: 'daemon-0.9.0',
			dataCarrierSize: 10_001
		})
	);
	const proxy = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: proxy.url })));

	test('a token is refused in one sentence, and no burn of it is built', async () => {
		const tokenid = await makeToken(net, 'Stays', 'at home');
		const migrations = migrationsOver(database.db, gateway);
		const address = net.chains.get('BETA')!.pubkey;
		const result = await draftBurn(migrations, { address, amount: '5', tokenid });
		expect(failed(result)).toContain('token.not-supported');
		expect(await database.db.selectFrom('migrations').select('id').execute()).toEqual([]);
	});
});
