import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatCoins } from '#lib/chain/amount.ts';
import { addressOfPubkey, encodeAddress, SCRIPT_ADDRESS_VERSION } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { signInput } from '#lib/chain/sign.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import {
	createSelfImports,
	type Pair,
	type SelfImports
} from '#lib/server/cross-chain/self-import/selfImports.ts';
import { SOURCE_PAYMENT } from '#lib/server/cross-chain/self-import/verifySelfImport.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { hindranceInTime } from '#lib/server/wallet/transactions/lookUp.ts';
import type { Sender } from '#lib/server/wallet/transactions/sender.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { between, gatewayTo, refusal, senderOver, type Between } from '../transactions/support.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { shared } from '../../support/shared.ts';

/** An amount from which the daemon's parsing would lose a satoshi. */
const AMOUNT = 115_000_000n;

interface Stand {
	net: Devnet;
	proxy: Between;
	gateway: Gateway;
	sender: Sender;
	self: SelfImports;
}

/** The parts of a process over a network and a database, with SELF behind a proxy. */
function standOver(
	net: Devnet,
	proxy: Between,
	database: TestDatabase,
	change: Readonly<Record<string, Partial<DaemonConfig>>> = {}
): Stand {
	const gateway = gatewayTo(net, database, { SELF: { url: proxy.url }, ...change });
	const sender = senderOver(database, gateway);
	return {
		net,
		proxy,
		gateway,
		sender,
		self: createSelfImports({ gateway, sender, rights: permissiveRights(gateway) })
	};
}

/** An address of a stranger: the wallet of SELF must hold no key but that of ac_pubkey. */
const newAddress = (net: Devnet): Promise<string> => net.rpc('ALPHA', 'getnewaddress');

async function pairOf({ self }: Stand, id: string): Promise<Pair> {
	const pair = await self.get('SELF', id);
	if (!pair) throw new Error('the self-import is gone');
	return pair;
}

/** One round of the process's background work. */
async function round({ sender }: Stand): Promise<void> {
	await sender.reconcileAll();
	await sender.sendFollowers();
}

/** Satoshi at an address, according to the address index. */
async function held(net: Devnet, address: string): Promise<bigint> {
	const { balance } = await net.rpc<{ balance: number }>('SELF', 'getaddressbalance', {
		addresses: [address]
	});
	return BigInt(balance);
}

/** Confirms the pair and continues until both transactions are in blocks. */
async function completeSelfImport(stand: Stand, id: string): Promise<Pair> {
	const { net, sender } = stand;
	expect(await sender.send(id, 'ada')).toBe('broadcast');
	for (let turn = 0; turn < 2; turn++) {
		await net.control.mine('SELF');
		await round(stand);
	}
	await net.control.mine('SELF');
	await round(stand);
	return pairOf(stand, id);
}

describe.each(['fast', 'seed'] as const)('on a network of profile %s', (profile) => {
	const net = shared(() => startDevnet({ profile, bare: true }));
	const proxy = shared(() => between(net, 'SELF'));

	describeOnBothDatabases('a self-import', (database) => {
		let stand: Stand;
		beforeAll(() => {
			stand = standOver(net, proxy, database);
		});
		afterAll(async () => {
			proxy.rewrite = null;
			await stand.gateway.close();
		});

		test('is offered on the chain that has it, with the wallet, and nowhere else', async () => {
			expect(await stand.self.outlook('SELF', 'ada')).toMatchObject({
				available: true,
				wallet: { daemon: 'SELF', pubkey: net.chains.get('SELF')!.pubkey },
				notes: []
			});
			expect(await stand.self.outlook('ALPHA', 'ada')).toMatchObject({
				available: false,
				obstacle: { code: 'no-imports', params: { chain: 'ALPHA' } }
			});
		});

		test('is made with the wallet of the issuer, where a chain has several', async () => {
			const { pubkey } = net.chains.get('SELF')!;
			const other = await between(net, 'SELF');
			const otherKey = net.chains.get('ALPHA')!.pubkey;
			other.rewrite = (method, body) =>
				method === 'getinfo' ? body.replaceAll(pubkey, otherKey) : body;
			const { daemons } = loadConfig({ KOMODO_HOME: net.dir, KOMODECK_DATA: database.dataDir });
			const issuer = daemons.find(({ id }) => id === 'SELF')!;
			const gateway = gatewayBefore(
				{ ...issuer, id: 'SELF-2', url: other.url, expect: { ...issuer.expect, pubkey: null } },
				issuer
			);
			await gateway.probe();
			const denied = new AppError('wallet.not-granted', { daemon: 'SELF' });
			const over = (more: Partial<Rights>) =>
				createSelfImports({
					gateway,
					sender: senderOver(database, gateway),
					rights: { ...permissiveRights(gateway), ...more }
				});
			try {
				expect(await over({}).outlook('SELF', 'ada')).toMatchObject({
					available: true,
					wallet: { daemon: 'SELF', pubkey }
				});
				const walletRefusal = (_person: string, daemon: string) =>
					Promise.resolve(daemon === 'SELF' ? denied : null);
				expect(await over({ walletRefusal }).outlook('SELF', 'ada')).toMatchObject({
					available: false,
					obstacle: { code: 'other-wallet', params: { daemon: 'SELF-2', pubkey: otherKey } }
				});
			} finally {
				await gateway.close();
				await other.stop();
			}
		});

		test('arrives with every satoshi, by two transactions sent once and in order', async () => {
			const address = await newAddress(net);
			const sends = proxy.count('sendrawtransaction');
			const id = await stand.self.build('SELF', { address, amount: AMOUNT }, 'ada');
			const built = await pairOf(stand, id);
			expect(built.source).toMatchObject({ state: 'reviewed', review: { cost: 20_000n } });
			expect(built.import).toMatchObject({ state: 'reviewed', review: { cost: 0n }, follows: id });
			expect(proxy.count('sendrawtransaction')).toBe(sends);

			expect(await refusal(net, stand.sender.send(built.import.id, 'ada'))).toMatchObject({
				code: 'transaction.not-due'
			});
			const states = await Promise.all([1, 2, 3].map(() => stand.sender.send(id, 'ada')));
			expect(states).toContain('broadcast');
			await round(stand);
			expect((await pairOf(stand, id)).import.state).toBe('reviewed');
			await net.control.mine('SELF');
			await Promise.all([round(stand), round(stand)]);
			expect(await pairOf(stand, id)).toMatchObject({
				source: { state: 'confirmed' },
				import: { state: 'broadcast' }
			});
			await net.control.mine('SELF');
			await round(stand);
			expect(await pairOf(stand, id)).toMatchObject({ import: { state: 'confirmed' } });
			// The source pays its 10000 satoshi to the recipient as well.
			expect(await held(net, address)).toBe(AMOUNT + 10_000n);
			expect(proxy.count('sendrawtransaction')).toBe(sends + 2);
		});

		test('arrives at a P2SH address again, without a warning once that is known', async () => {
			const address = encodeAddress(new Uint8Array(20).fill(0x5c), SCRIPT_ADDRESS_VERSION);
			await net.rpc('SELF', 'sendtoaddress', address, 0.5);
			await net.control.mine('SELF');
			const before = await held(net, address);
			const id = await stand.self.build('SELF', { address, amount: AMOUNT }, 'ada');
			expect((await pairOf(stand, id)).source.warnings).toEqual([]);
			await completeSelfImport(stand, id);
			// The source pays a little to the recipient, too.
			expect(await held(net, address)).toBe(before + AMOUNT + SOURCE_PAYMENT);
		});

		test('goes on in another process after a kill between the two', async () => {
			const address = await newAddress(net);
			const id = await stand.self.build('SELF', { address, amount: 1n }, 'ada');
			await stand.sender.send(id, 'ada');
			// Only the database of the first process remains.
			const second = standOver(net, proxy, database);
			expect(await second.self.list('SELF', 10)).toContainEqual(
				expect.objectContaining({ source: expect.objectContaining({ id }) as unknown })
			);
			await net.control.mine('SELF');
			await round(second);
			await net.control.mine('SELF');
			await round(second);
			expect(await pairOf(second, id)).toMatchObject({ import: { state: 'confirmed' } });
			expect(await held(net, address)).toBe(10_001n);
			await second.gateway.close();
		});

		test('whose import got no answer is looked up before it goes out again', async () => {
			const address = await newAddress(net);
			const id = await stand.self.build('SELF', { address, amount: AMOUNT }, 'ada');
			await stand.sender.send(id, 'ada');
			await net.control.mine('SELF');
			await stand.sender.reconcileAll();
			await net.control.fault('SELF', 'drop', {
				method: 'sendrawtransaction',
				phase: 'after',
				count: 1
			});
			const sends = proxy.count('sendrawtransaction');
			await stand.sender.sendFollowers();
			await round(stand);
			await net.control.mine('SELF');
			await round(stand);
			expect(await pairOf(stand, id)).toMatchObject({ import: { state: 'confirmed' } });
			expect(proxy.count('sendrawtransaction')).toBe(sends + 1);
			expect(await held(net, address)).toBe(AMOUNT + 10_000n);
		});

		test('whose coins were spent at once is not sent again by a daemon without an index', async () => {
			const key = new Uint8Array(32).fill(7);
			const address = addressOfPubkey(publicKeyOf(key));
			/** Spends all outputs of an import. */
			const spend = async (txid: string): Promise<void> => {
				const hex = await net.rpc<string>('SELF', 'getrawtransaction', txid);
				const [output] = parseTransaction(hex).vout;
				const pays = { [await newAddress(net)]: Number(output!.value - 10_000n) / 1e8 };
				const spent = [{ txid, vout: 0 }];
				const draft = await net.rpc<string>('SELF', 'createrawtransaction', spent, pays);
				const signed = signInput(parseTransaction(draft), 0, output!, key);
				const bytes = bytesToHex(serializeTransaction(signed));
				await net.rpc('SELF', 'sendrawtransaction', bytes);
				await net.control.mine('SELF');
			};
			await net.control.txIndex('SELF', false);
			try {
				const sends = proxy.count('sendrawtransaction');
				const id = await stand.self.build('SELF', { address, amount: AMOUNT }, 'ada');
				const { import: pair } = await completeSelfImport(stand, id);
				expect(pair.state).toBe('confirmed');
				await database.db
					.updateTable('transactions')
					.set({ final_at: null })
					.where('id', '=', pair.id)
					.execute();
				await spend(pair.txid);
				await round(stand);
				expect((await pairOf(stand, id)).import).toMatchObject({ state: 'confirmed' });
				// As after a look at a daemon that lacked its block.
				await database.db
					.updateTable('transactions')
					.set({ state: 'unknown', height: null })
					.where('id', '=', pair.id)
					.execute();
				await round(stand);
				const { height } = pair;
				expect((await pairOf(stand, id)).import).toMatchObject({ state: 'confirmed', height });
				expect(proxy.count('sendrawtransaction')).toBe(sends + 2);
			} finally {
				await net.control.txIndex('SELF', true);
			}
		});

		test('given up takes its import with it, and frees the coins', async () => {
			const address = await newAddress(net);
			const id = await stand.self.build('SELF', { address, amount: 5n }, 'ada');
			expect(
				await refusal(net, stand.self.build('SELF', { address, amount: 6n }, 'ada'))
			).toMatchObject({ code: 'utxos.locked' });
			const { import: second } = await pairOf(stand, id);
			expect(await stand.sender.discard(second.id, 'ada')).toBe(false);
			expect(await stand.sender.discard(id, 'ada')).toBe(true);
			expect(await pairOf(stand, id)).toMatchObject({
				source: { state: 'discarded' },
				import: { state: 'discarded' }
			});
			const again = await stand.self.build('SELF', { address, amount: 6n }, 'ada');
			await stand.sender.discard(again, 'ada');
		});

		describe('with a trap armed', () => {
			const lie = (change: (result: Record<string, string>) => unknown): void => {
				proxy.rewrite = (method, body) => {
					if (method !== 'selfimport' || body.includes('"result":null')) return body;
					const answer = JSON.parse(body) as { result: Record<string, string> };
					return JSON.stringify({ ...answer, result: change(answer.result) });
				};
			};
			const refused = async (asked: { address: string; amount: bigint }): Promise<string> => {
				const sends = proxy.count('sendrawtransaction');
				const { code, message } = await refusal(net, stand.self.build('SELF', asked, 'ada'));
				proxy.rewrite = null;
				expect(proxy.count('sendrawtransaction')).toBe(sends);
				expect(await stand.sender.list({ states: ['reviewed'] })).toEqual([]);
				return `${code}: ${message}`;
			};

			test('the bare number -1 is a refusal in words', async () => {
				lie(() => -1);
				expect(await refused({ address: await newAddress(net), amount: 1n })).toMatch(
					/not-possible: .*another ac_import than PUBKEY.*Nothing was sent/
				);
			});

			test('an empty hex is a wallet that could not sign', async () => {
				for (const key of ['SourceTxHex', 'ImportTxHex']) {
					lie((result) => ({ ...result, [key]: '' }));
					expect(await refused({ address: await newAddress(net), amount: 1n })).toContain(
						'transaction.unsigned'
					);
				}
			});

			test('another amount, another recipient and another pair are found in the bytes', async () => {
				const [mine, theirs] = [await newAddress(net), await newAddress(net)];
				const build = (address: string, amount: bigint) =>
					net.rpc<Record<string, string>>(
						'SELF',
						'selfimport',
						address,
						profile === 'seed' ? Number(formatCoins(amount)) : formatCoins(amount)
					);
				const more = await build(mine, 3n);
				lie(() => more);
				expect(await refused({ address: mine, amount: 2n })).toContain(
					'verification.source-wrong-amount'
				);
				lie((result) => ({ ...result, ImportTxHex: more['ImportTxHex'] }));
				expect(await refused({ address: mine, amount: 2n })).toContain(
					'verification.import-wrong-amount'
				);
				const foreign = await build(theirs, 2n);
				lie(() => foreign);
				expect(await refused({ address: mine, amount: 2n })).toContain(
					'verification.source-other-recipient'
				);
				lie((result) => ({ ...result, ImportTxHex: foreign['ImportTxHex'] }));
				expect(await refused({ address: mine, amount: 2n })).toContain(
					'verification.import-other-recipient'
				);
			});

			test('an address of the token module is refused at its field', async () => {
				const { myCCAddress, TokensCCAddress } = await net
					.rpc<Record<string, string>>('SELF', 'tokenaddress')
					.then((found) => ({
						myCCAddress: found['myCCAddress(Tokens)']!,
						TokensCCAddress: found['TokensCCAddress']!
					}));
				for (const address of [myCCAddress, TokensCCAddress]) {
					expect(await refused({ address, amount: 1n })).toContain('self-import.recipient-');
				}
			});

			test('a wallet that is not ac_pubkey, and another import mode, are told before anything is built', async () => {
				const other = net.chains.get('ALPHA')!.pubkey;
				for (const [change, words] of [
					[{ acPubkey: other }, /is not the one that may create coins/],
					[{ acImport: 'BEAM' }, /started with ac_import=BEAM/],
					[{ dataCarrierSize: 208 }, /datacarriersize=10001/]
				] as const) {
					const strict = standOver(net, proxy, database, {
						SELF: { url: proxy.url, ...change }
					});
					const address = await newAddress(net);
					const found = await refusal(
						net,
						strict.self.build('SELF', { address, amount: 1n }, 'ada')
					);
					expect(found.message).toMatch(words);
					await strict.gateway.close();
				}
			});

			test('coins that somebody at the daemon has locked are not counted', async () => {
				const unspent = await net.rpc<{ txid: string; vout: number }[]>('SELF', 'listunspent');
				await net.rpc('SELF', 'lockunspent', false, unspent);
				try {
					const address = await newAddress(net);
					const found = await refusal(
						net,
						stand.self.build('SELF', { address, amount: 1n }, 'ada')
					);
					expect(found).toMatchObject({
						code: 'self-import.not-possible',
						params: { obstacle: { code: 'too-few-coins', params: { balance: '0' } } }
					});
				} finally {
					await net.rpc('SELF', 'lockunspent', true);
				}
			});

			test('another daemon at the address of SELF is noticed before each of the two', async () => {
				const address = await newAddress(net);
				const id = await stand.self.build('SELF', { address, amount: 7n }, 'ada');
				const sends = proxy.count('sendrawtransaction');
				const strange = (method: string, body: string): string =>
					method === 'getinfo' ? body.replace('"name":"SELF"', '"name":"OTHER"') : body;
				proxy.rewrite = strange;
				expect(await refusal(net, stand.sender.send(id, 'ada'))).toMatchObject({
					code: 'wallet-daemon.other-chain'
				});
				proxy.rewrite = null;
				expect(await stand.sender.send(id, 'ada')).toBe('broadcast');
				await net.control.mine('SELF');
				await stand.sender.reconcileAll();
				proxy.rewrite = strange;
				await stand.sender.sendFollowers();
				expect(proxy.count('sendrawtransaction')).toBe(sends + 1);
				const { import: due } = await pairOf(stand, id);
				expect(due.state).toBe('reviewed');
				// The rounds fail, and its page says why.
				expect(await hindranceInTime(stand.sender, due.id)).toContain('OTHER');
				proxy.rewrite = null;
				expect(await hindranceInTime(stand.sender, due.id)).toBeNull();
				await round(stand);
				await net.control.mine('SELF');
				await round(stand);
				expect(await held(net, address)).toBe(10_007n);
			});

			test('an import that the chain refuses can be sent again when it does not any more', async () => {
				const address = await newAddress(net);
				const id = await stand.self.build('SELF', { address, amount: 9n }, 'ada');
				await stand.sender.send(id, 'ada');
				await net.control.mine('SELF');
				await stand.sender.reconcileAll();
				const { import: second } = await pairOf(stand, id);
				const error = (code: number, message: string): string =>
					`{"result":null,"error":{"code":${code},"message":"${message}"},"id":null}\n`;
				// The lookup confirms the refusal: the daemon does not know the transaction.
				proxy.rewrite = (method, body) => {
					if (method === 'sendrawtransaction') return error(-26, '64: scriptpubkey');
					if (method !== 'getrawtransaction' || !body.includes(second.txid)) return body;
					return error(-5, 'No information available about transaction');
				};
				expect(await stand.sender.send(second.id, 'ada')).toBe('rejected');
				proxy.rewrite = null;
				expect(await stand.sender.send(second.id, 'ada')).toBe('broadcast');
				await net.control.mine('SELF');
				await round(stand);
				expect(await held(net, address)).toBe(10_009n);
			});
		});

		test('that somebody else has imported from the same source is not imported twice', async () => {
			const address = await newAddress(net);
			const id = await stand.self.build('SELF', { address, amount: 13n }, 'ada');
			await stand.sender.send(id, 'ada');
			await net.control.mine('SELF');
			await stand.sender.reconcileAll();
			const { import: ours } = await pairOf(stand, id);
			const { burnTx, payouts, proof } = parseImport(parseTransaction(ours.hex))!;
			if (proof.kind !== 'txproof') throw new Error('another kind of proof');
			// The index in the proof has no meaning, and makes it another transaction.
			const twin = buildImport(burnTx, payouts, { ...proof, index: 170_007 });
			const hex = bytesToHex(serializeTransaction(twin));
			const txid = await net.rpc<string>('SELF', 'sendrawtransaction', hex);
			expect(await stand.sender.send(ours.id, 'ada')).toBe('rejected');
			await net.control.mine('SELF');
			expect(await stand.sender.send(ours.id, 'ada')).toBe('rejected');
			expect((await pairOf(stand, id)).import.rejection).toMatchObject({ params: { txid } });
			expect(await held(net, address)).toBe(10_013n);
		});

		test('whose source was lost and can never be confirmed again is over with its import', async () => {
			const finality = new Map([['SELF', { confirmations: 2, notarization: 'none' }]] as const);
			const { gateway } = stand;
			const sender = senderOver(database, gateway, { finality });
			const early = { ...stand, sender };
			const id = await stand.self.build(
				'SELF',
				{ address: await newAddress(net), amount: 17n },
				'ada'
			);
			await sender.send(id, 'ada');
			await net.control.mine('SELF');
			await round(early);
			expect((await pairOf(early, id)).import.state).toBe('broadcast');
			await net.control.reorg('SELF', 1, true, true);
			await net.control.mine('SELF', 230);
			for (let turn = 0; turn < 4; turn++) {
				await round(early);
				await net.control.mine('SELF');
			}
			const { source, import: second } = await pairOf(early, id);
			expect([source.state, second.state]).toEqual(['rejected', 'rejected']);
			expect(source.finalAt).not.toBeNull();
			expect(second.finalAt).not.toBeNull();
			expect(second.rejection).toEqual({ code: 'never.confirmed', params: { why: 'source' } });
		});

		test('is complete again after a reorganisation took both blocks back', async () => {
			const address = await newAddress(net);
			const id = await stand.self.build('SELF', { address, amount: 11n }, 'ada');
			await completeSelfImport(stand, id);
			await net.control.reorg('SELF', 4);
			await round(stand);
			await net.control.mine('SELF');
			await round(stand);
			await net.control.mine('SELF');
			await round(stand);
			expect(await pairOf(stand, id)).toMatchObject({
				source: { state: 'confirmed' },
				import: { state: 'confirmed' }
			});
			expect(await held(net, address)).toBe(10_011n);
		});
	});
});
