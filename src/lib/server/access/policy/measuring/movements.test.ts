/** To whom bytes move units of a token, whatever else their payload names. */
import { expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { burnPayload } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { p2pk } from '#lib/chain/script.ts';
import { BLOB, tokenTransferScript } from '#lib/chain/token.ts';
import { transparent, unsignedInput } from '#lib/chain/transaction.ts';
import { measureSpend, type MeasuredWallet, type MeasuredInput } from './measure.ts';
import type { Part } from '../rules/facts.ts';
import { movementsOf } from './movements.ts';

const TOKENID = 'ab'.repeat(32);
const key = (n: number): Uint8Array => publicKeyOf(new Uint8Array(32).fill(n));
const [OWN, BEN, EVE] = [key(1), key(2), key(3)];
const wallet: MeasuredWallet = {
	pubkey: bytesToHex(OWN),
	addresses: new Set([addressOfPubkey(OWN)]),
	unasked: new Set(),
	hasInterest: false
};

/** Ten units of the wallet, of which three come back to its key unless stated otherwise. */
function read(
	destPubkeys: Uint8Array[],
	paid: Uint8Array,
	blobs: { id: number; data: Uint8Array }[] = [],
	[leaves, back] = [7n, 3n],
	backTo = OWN
): { kinds: string[]; moves: { kind: string; parts: readonly Part[] }[] } {
	const tx = transparent({
		vin: [0, 1].map((vout) => unsignedInput('cd'.repeat(32), vout)),
		vout: [
			{ value: leaves, script: tokenScript(paid) },
			{ value: back, script: tokenScript(backTo) },
			{ value: 0n, script: tokenTransferScript({ tokenid: TOKENID, destPubkeys, blobs }) }
		]
	});
	const spent: MeasuredInput[] = [
		{ value: 10n, script: tokenScript(OWN), token: TOKENID },
		{ value: 10_000n, script: p2pk(OWN), token: null }
	];
	const found = measureSpend(tx, spent, wallet);
	if ('unknown' in found) throw new Error(found.unknown);
	const { usages } = found;
	const all = movementsOf({
		chain: 'ALPHA',
		tx,
		spent,
		wallet,
		usages,
		payouts: null
	});
	return {
		kinds: usages.map(({ kind }) => kind),
		moves: all
			.filter(({ tokenid }) => tokenid === TOKENID)
			.map(({ kind, parts }) => ({ kind, parts }))
	};
}

const moved = (...given: Parameters<typeof read>) => read(...given).moves;
const kindsOf = (...given: Parameters<typeof read>) => read(...given).kinds;

const toBeta = {
	id: BLOB.burn,
	data: burnPayload({
		targetCcid: 777,
		targetSymbol: 'BETA',
		payoutsHash: new Uint8Array(32),
		sourceSymbol: 'ALPHA'
	})
};

const unknown = { kind: 'token-transfer', parts: [{ recipient: { is: 'unknown' }, amount: 7n }] };

test('units go to the one key that the payload names, or are burned', () => {
	const recipient = { is: 'address', address: addressOfPubkey(BEN), own: false };
	expect(moved([BEN], BEN)).toEqual([
		{ kind: 'token-transfer', parts: [{ recipient, amount: 7n }] }
	]);
	expect(moved([BURN_PUBKEY], BURN_PUBKEY)).toEqual([
		{ kind: 'token-burn', parts: [{ recipient: { is: 'nobody' }, amount: 7n }] }
	]);
});

test('the burn key beside another one makes no burn of what that one gets', () => {
	expect(moved([BURN_PUBKEY, EVE], EVE)).toEqual([unknown]);
	expect(moved([EVE, BURN_PUBKEY], EVE)).toEqual([unknown]);
	// A key that the payload names without an output gets nothing.
	const parts = [{ recipient: { is: 'nobody' }, amount: 7n }];
	expect(moved([EVE, BURN_PUBKEY], BURN_PUBKEY)).toEqual([{ kind: 'token-burn', parts }]);
});

test('units that are burned beside others that leave are judged as both', () => {
	const keys = [BURN_PUBKEY, EVE];
	const left = {
		kind: 'token-transfer',
		parts: [{ recipient: { is: 'unknown' }, amount: 3n }]
	};
	const burned = (recipient: string) => [{ recipient: { is: recipient }, amount: 7n }];
	for (const named of [keys, [BURN_PUBKEY]]) {
		expect(moved(named, BURN_PUBKEY, [], [7n, 3n], EVE)).toEqual([
			{ kind: 'token-burn', parts: burned('nobody') },
			left
		]);
		expect(moved(named, BURN_PUBKEY, [toBeta], [7n, 3n], EVE)).toEqual([
			{ kind: 'migration', parts: burned('unknown') },
			left
		]);
	}
	expect(kindsOf(keys, BURN_PUBKEY, [toBeta], [7n, 3n], EVE)).toEqual([
		...['token-transfer', 'migration']
	]);
});

test('units that go to a key that the payload does not name go to none whom it names', () => {
	// The chain accepts such outputs as the change of another owner's input.
	expect(moved([BEN], EVE)).toEqual([unknown]);
	expect(moved([BURN_PUBKEY], EVE)).toEqual([unknown]);
	// Change beyond the wallet's own units does not offset units that leave, where the payload names the
	// wallet's own key.
	const parts = [{ recipient: { is: 'unknown' }, amount: 3n }];
	expect(moved([OWN, BEN], EVE, [], [3n, 7n])).toMatchObject([{ parts }]);
});

test('units that come back beyond what was given take nothing off a window', () => {
	for (const keys of [[BURN_PUBKEY], [BEN]]) {
		const [{ parts } = { parts: [] }] = moved(keys, keys[0]!, [], [1n, 5_000n]);
		expect(parts.map(({ amount }) => amount)).toEqual([0n]);
	}
});

test('units that leave beside a burn for another chain go to no recipient of its import', () => {
	expect(moved([BURN_PUBKEY], BURN_PUBKEY, [toBeta])).toMatchObject([{ kind: 'migration' }]);
	for (const keys of [[BURN_PUBKEY, EVE], [BURN_PUBKEY]]) {
		expect(moved(keys, EVE, [toBeta])).toEqual([unknown]);
	}
});
