import { isValidAddress } from '#lib/chain/address.ts';
import { valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE, parsePayouts, payoutsHash, type Burn } from '#lib/chain/burn.ts';
import { bytesEqual, hexToBytes, isHex } from '#lib/chain/bytes.ts';
import { readOrNull } from '#lib/chain/chainError.ts';
import { isPubkeyText } from '#lib/chain/idText.ts';
import { classify, p2pk, scriptOfAddress } from '#lib/chain/script.ts';
import { txidOf, type TxOut } from '#lib/chain/transaction.ts';
import type { RecoveryFault } from '#lib/messages/migration/recoveryFaults.ts';
import { knownRecipients } from '../recipients.ts';
import { tokenPayouts } from '../tokenFacts.ts';
import type { MigrationDependencies } from './dependencies.ts';
import type { ForeignBurn } from './foreignBurn.ts';

/** Recipients of a burn as claimed by a user; always verified against the burn. */
export interface NamedPayouts {
	/** An address, or a compressed public key. */
	recipient?: string;
	/** Serialized payouts, hex: needed when the burn pays several recipients. */
	payouts?: string;
}

/** Bytes of the largest transaction on these chains, which payouts cannot exceed. */
const MOST_BYTES = 200_000;

/** Returns the claimed payouts if their hash is in the burn; otherwise null. */
function provenPayouts(text: string, hash: Uint8Array): TxOut[] | null {
	if (!isHex(text) || text.length > 2 * MOST_BYTES) return null;
	return readOrNull(() => {
		const payouts = parsePayouts(text);
		return bytesEqual(payoutsHash(payouts), hash) ? payouts : null;
	});
}

/** Finds the payout of a burn of coins: one output to an address or public key, whose hash is in the burn. */
function payoutsOf(
	hash: Uint8Array,
	value: bigint,
	addresses: readonly string[],
	keys: readonly string[]
): TxOut[] | null {
	const scripts = [...addresses.map(scriptOfAddress), ...keys.map((key) => p2pk(hexToBytes(key)))];
	return (
		scripts
			.map((script) => [{ value, script }])
			.find((payouts) => bytesEqual(payoutsHash(payouts), hash)) ?? null
	);
}

/** Payouts of a burn. */
interface Paid {
	payouts: TxOut[];
	tokenid: string | null;
	amount: bigint;
	/** The address, or for a token the public key; empty when the payouts have none. */
	address: string;
}

/** Returns whom a burn pays; a fault when the user has to say it. */
export async function recipientsOf(
	deps: MigrationDependencies,
	foreign: ForeignBurn,
	burn: Burn,
	named: NamedPayouts = {}
): Promise<Paid | RecoveryFault> {
	const { db, gateway, store } = deps;
	const { recipient = '', payouts: text = '' } = named;
	const brought = text === '' ? null : provenPayouts(text, burn.payoutsHash);
	if (text !== '' && brought === null) return { code: 'other-payouts' };
	const told = foreign.payouts ?? brought;
	const known = await knownRecipients(
		db,
		gateway,
		[burn.targetSymbol, burn.sourceSymbol],
		(await store.list({ limit: 500 })).map((row) => row.address)
	);
	if (burn.tokenCreationTx) {
		const keys = [...new Set([...(isPubkeyText(recipient) ? [recipient] : []), ...known.keys])];
		const payouts = told ?? tokenPayouts(foreign.tx, burn, keys);
		if (!payouts) {
			return { code: 'recipient-unknown', of: 'token' };
		}
		return {
			payouts,
			tokenid: txidOf(burn.tokenCreationTx),
			amount: payouts[1]?.value ?? 0n,
			address: keys.find((key) => tokenPayouts(foreign.tx, burn, [key]) !== null) ?? ''
		};
	}
	const addresses = [
		...(isValidAddress(recipient) ? [recipient] : []),
		...foreign.tx.vout.flatMap(({ script }) => classify(script).address ?? []),
		...known.addresses
	];
	const keys = [...(isPubkeyText(recipient) ? [recipient] : []), ...known.keys];
	const value = burn.value - IMPORT_FEE;
	const payouts = told ?? payoutsOf(burn.payoutsHash, value, [...new Set(addresses)], keys);
	if (!payouts) return { code: 'recipient-unknown', of: 'coins' };
	return {
		payouts,
		tokenid: null,
		amount: valueOf(payouts),
		address: classify(payouts[0]?.script ?? new Uint8Array()).address ?? ''
	};
}
