import { decodeAddress, isValidAddress } from '#lib/chain/address.ts';
import { IMPORT_FEE, payoutsHash, type Burn } from '#lib/chain/burn.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { classify, p2pkh } from '#lib/chain/script.ts';
import { txidOf, type TxOut } from '#lib/chain/transaction.ts';
import { knownRecipients } from '../recipients.ts';
import { tokenPayouts } from '../tokenFacts.ts';
import type { MigrationDependencies } from './dependencies.ts';
import type { ForeignBurn } from './foreignBurn.ts';

/** Who a burn pays: an address that gives the hash that the burn holds. */
function payoutsOf(hash: Uint8Array, value: bigint, tries: readonly string[]): TxOut[] | null {
	for (const address of tries) {
		const payouts = [{ value, script: p2pkh(decodeAddress(address).hash) }];
		if (bytesEqual(payoutsHash(payouts), hash)) return payouts;
	}
	return null;
}

/** What a burn pays, and to whom. */
interface Paid {
	payouts: TxOut[];
	tokenid: string | null;
	amount: bigint;
	/** The address, or for a token the public key; empty where the payouts hold none. */
	address: string;
}

/** Who a burn pays, as far as it is known; a sentence where somebody has to say it. @param named what a person says it is */
export async function recipientsOf(
	deps: MigrationDependencies,
	foreign: ForeignBurn,
	burn: Burn,
	named?: string
): Promise<Paid | string> {
	const { db, gateway, store } = deps;
	const known = await knownRecipients(
		db,
		gateway,
		[burn.targetSymbol, burn.sourceSymbol],
		(await store.list({ limit: 500 })).map((row) => row.address)
	);
	if (burn.tokenCreationTx) {
		const isKey = named !== undefined && /^0[23][0-9a-f]{64}$/.test(named);
		const keys = [...new Set([...(isKey ? [named] : []), ...known.keys])];
		const payouts = foreign.payouts ?? tokenPayouts(foreign.tx, burn, keys);
		if (!payouts) {
			return 'The burn holds only a hash of who receives the token. Enter the public key to which it was sent.';
		}
		return {
			payouts,
			tokenid: txidOf(burn.tokenCreationTx),
			amount: payouts[1]?.value ?? 0n,
			address: keys.find((key) => tokenPayouts(foreign.tx, burn, [key]) !== null) ?? ''
		};
	}
	const addresses = [
		...(named && isValidAddress(named) ? [named] : []),
		...foreign.tx.vout.flatMap(({ script }) => classify(script).address ?? []),
		...known.addresses
	];
	const payouts =
		foreign.payouts ??
		payoutsOf(burn.payoutsHash, burn.value - IMPORT_FEE, [...new Set(addresses)]);
	if (!payouts) {
		return 'The burn holds only a hash of who receives the coins. Enter the address to which they were sent.';
	}
	return {
		payouts,
		tokenid: null,
		amount: payouts.reduce((sum, { value }) => sum + value, 0n),
		address: classify(payouts[0]?.script ?? new Uint8Array()).address ?? ''
	};
}
