/** Arbitrary chain data for property tests. */
import fc from 'fast-check';
import { bytesToHex } from '../bytes.ts';
import { p2pk, p2pkh, opReturn } from '../script.ts';
import { publicKeyOf } from '../key.ts';
import {
	NO_SHIELDED,
	OVERWINTER_GROUP_ID,
	SAPLING_GROUP_ID,
	type ShieldedParts,
	type Transaction
} from '../transaction.ts';

export const bytes = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength });
export const exactly = (length: number): fc.Arbitrary<Uint8Array> =>
	fc.uint8Array({ minLength: length, maxLength: length });
export const u32 = fc.integer({ min: 0, max: 0xffffffff });
/** Up to 21 million coins, the limit of the other libraries that the tests compare with. */
export const satoshi = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n });
export const hash = exactly(32);
export const txid = hash.map(bytesToHex);
/** A valid private key: the fixed first byte keeps it above zero and below the order of the curve. */
export const privateKey = exactly(32).map((key) => Uint8Array.of(0x11, ...key.slice(1)));

export const script = fc.oneof(
	exactly(20).map(p2pkh),
	privateKey.map((key) => p2pk(publicKeyOf(key))),
	bytes(80).map(opReturn),
	bytes(60)
);

const parts = {
	vin: fc.array(fc.record({ txid, vout: u32, scriptSig: bytes(120), sequence: u32 }), {
		minLength: 1,
		maxLength: 4
	}),
	vout: fc.array(fc.record({ value: satoshi, script }), { maxLength: 4 }),
	locktime: u32
};

const original = fc.record({
	...parts,
	overwintered: fc.constant(false),
	version: fc.constant(1),
	versionGroupId: fc.constant(0),
	expiryHeight: fc.constant(0),
	valueBalance: fc.constant(0n),
	shielded: fc.constant(NO_SHIELDED)
});
const overwintered = (version: number, versionGroupId: number): fc.Arbitrary<Transaction> =>
	fc.record({
		...parts,
		overwintered: fc.constant(true),
		version: fc.constant(version),
		versionGroupId: fc.constant(versionGroupId),
		expiryHeight: fc.integer({ min: 0, max: 499_999_999 }),
		valueBalance: fc.constant(0n),
		shielded: fc.constant(NO_SHIELDED)
	});

/** Transparent transactions. */
export const version1: fc.Arbitrary<Transaction> = original;
export const version3 = overwintered(3, OVERWINTER_GROUP_ID);
export const version4 = overwintered(4, SAPLING_GROUP_ID);

const NOTHING = new Uint8Array(0);

function shieldedParts(sapling: boolean): fc.Arbitrary<ShieldedParts> {
	const list = (length: number): fc.Arbitrary<Uint8Array[]> =>
		fc.array(exactly(length), { maxLength: 2 });
	return fc
		.record({
			spends: sapling ? list(384) : fc.constant([]),
			outputs: sapling ? list(948) : fc.constant([]),
			joinSplits: list(sapling ? 1698 : 1802),
			joinSplitPubkey: exactly(32),
			joinSplitSignature: exactly(64),
			bindingSignature: exactly(64)
		})
		.map((all) => ({
			...all,
			joinSplitPubkey: all.joinSplits.length > 0 ? all.joinSplitPubkey : NOTHING,
			joinSplitSignature: all.joinSplits.length > 0 ? all.joinSplitSignature : NOTHING,
			bindingSignature: all.spends.length + all.outputs.length > 0 ? all.bindingSignature : NOTHING
		}));
}

/** Transactions of all versions with shielded parts. */
const shielded: fc.Arbitrary<Transaction> = fc.oneof(
	fc
		.tuple(version1, shieldedParts(false))
		.map(([tx, all]) => ({ ...tx, version: 2, shielded: all })),
	fc.tuple(version3, shieldedParts(false)).map(([tx, all]) => ({ ...tx, shielded: all })),
	fc
		.tuple(version4, shieldedParts(true), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
		.map(([tx, all, valueBalance]) => ({ ...tx, shielded: all, valueBalance }))
);

export const transaction: fc.Arbitrary<Transaction> = fc.oneof(
	version1,
	version3,
	version4,
	shielded
);
