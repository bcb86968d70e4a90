/**
 * What a transaction moves, and to whom: read from its bytes and from those of the transactions that it
 * spends, in addition to what `measure.ts` measures. An output whose script has no address counts as
 * an unknown recipient.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { sumOf, valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE, parseBurn, parsePayouts, payoutsHash } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type { LimitKind, Usage } from './kinds.ts';
import {
	isForeign,
	isOwn,
	unitScripts,
	unitsLeaving,
	usualFeeOf,
	type MeasuredWallet,
	type MeasuredInput
} from './measure.ts';
import { payeeOf } from './recipients.ts';
import type { Movement, Part, Recipient } from '../rules/facts.ts';

interface Moving {
	chain: string;
	tx: Transaction;
	/** The outputs that its inputs spend. */
	spent: readonly MeasuredInput[];
	wallet: MeasuredWallet;
	/** What it takes, as measured; the first is of its kind. */
	usages: readonly Usage[];
	/**
	 * Serialized outputs of the import of a burn, hex; used only when the burn commits to their hash. Null
	 * when not known.
	 */
	payouts: string | null;
}

/** A transfer to one recipient, given by public key. */
interface PlannedTransfer {
	chain: string;
	tokenid: string;
	recipient: string;
	units: bigint;
}

const NOBODY: Recipient = { is: 'nobody' };
const UNKNOWN: Recipient = { is: 'unknown' };

/** @param own whether it is the paying wallet's address; `withOwn` marks those of other wallets later */
const recipientAt = (address: string | null, own = false): Recipient =>
	address === null ? UNKNOWN : { is: 'address', address, own };

/** Merges the parts of each recipient. */
function joined(parts: readonly Part[]): Part[] {
	const groups = Map.groupBy(parts, ({ recipient }) =>
		recipient.is === 'address' ? recipient.address : recipient.is
	);
	return [...groups.values()].map((same) => ({
		recipient: same[0]!.recipient,
		amount: sumOf(same.map(({ amount }) => amount))
	}));
}

/** Outputs with a value that do not return to the wallet, without those that belong to the kind itself. */
function paidOutputs({ tx, wallet }: Moving, kind: LimitKind): TxOut[] {
	const payload = tokenPayloadOf(tx);
	const units = payload?.kind === 'transfer' ? unitScripts(payload, wallet) : new Set<string>();
	return tx.vout.filter(
		(output, at) =>
			output.value > 0n &&
			!isOwn(output, wallet) &&
			!units.has(bytesToHex(output.script)) &&
			!(kind === 'migration' && at === tx.vout.length - 1)
	);
}

/** The coins paid. The part that leaves without a visible recipient goes to an unknown one. */
function payment(moving: Moving, kind: LimitKind, amount: bigint, feeMost: bigint): Movement {
	const paid = paidOutputs(moving, kind);
	const parts = paid.map((output) => ({
		recipient: recipientAt(payeeOf(output)),
		amount: output.value
	}));
	const rest = amount - valueOf(paid);
	const { wallet } = moving;
	const self = wallet.pubkey === null ? UNKNOWN : recipientAt(addressOfPubkey(wallet.pubkey), true);
	const hidden = rest > feeMost ? [{ recipient: UNKNOWN, amount: rest }] : [];
	const all = joined([...parts, ...hidden]);
	return {
		kind: 'coin-send',
		chain: moving.chain,
		tokenid: null,
		parts: all.length === 0 ? [{ recipient: self, amount: 0n }] : all,
		rest: hidden.length > 0 || rest < 0n ? 0n : rest
	};
}

/** Recipients of the import of a burn; null where the payouts are not those that the burn commits to. */
function importedTo(moving: Moving): Part[] | null {
	const burn = parseBurn(moving.tx);
	if (burn === null || moving.payouts === null) return null;
	try {
		const outputs = parsePayouts(moving.payouts);
		if (!bytesEqual(payoutsHash(outputs), burn.payoutsHash)) return null;
		return outputs
			.filter(({ value }) => value > 0n)
			.map((output) => ({
				recipient: recipientAt(payeeOf(output)),
				amount: output.value
			}));
	} catch (error) {
		if (!isChainError(error)) throw error;
		return null;
	}
}

/** The part of units that leave, by the keys that they may go to. */
function partTo(
	{ pubkey }: Pick<MeasuredWallet, 'pubkey'>,
	keys: readonly Uint8Array[],
	leaves: bigint
): Part {
	const [first, ...more] = keys.filter((key) => bytesToHex(key) !== pubkey);
	// With several keys, each may get all of the units.
	if (first !== undefined) {
		const recipient = more.length === 0 ? recipientAt(addressOfPubkey(first)) : UNKNOWN;
		return { recipient, amount: leaves };
	}
	if (leaves > 0n || pubkey === null) return { recipient: UNKNOWN, amount: leaves };
	return { recipient: recipientAt(addressOfPubkey(pubkey), true), amount: leaves };
}

/**
 * Returns the movement of a token transfer that is not built yet. Public keys are hex.
 * @param pubkey public key of the wallet; null when it lacks the key that its daemon is configured with
 */
export function plannedTransfer(
	{ chain, tokenid, recipient, units }: PlannedTransfer,
	pubkey: string | null
): Movement {
	// Units sent to the wallet's own key do not leave.
	const leaves = recipient === pubkey ? 0n : units;
	const parts = [partTo({ pubkey }, [hexToBytes(recipient)], leaves)];
	return { kind: 'token-transfer', chain, tokenid, parts, rest: 0n };
}

/** The part of units that are burned: destroyed, or imported for a recipient. */
function partBurned(moving: Moving, kind: LimitKind, amount: bigint): Part {
	if (kind !== 'migration') return { recipient: NOBODY, amount };
	const [first, ...more] = (importedTo(moving) ?? []).map(({ recipient }) => recipient);
	return { recipient: first !== undefined && more.length === 0 ? first : UNKNOWN, amount };
}

/** Units of tokens that go in and do not come back to the wallet's key. */
function tokensMoved(moving: Moving, kind: LimitKind): Movement[] {
	const { chain, tx, spent, wallet } = moving;
	const payload = tokenPayloadOf(tx);
	const taken = spent.filter((output) => output.token !== null && !isForeign(output, wallet));
	const isBurn = kind === 'token-burn' || kind === 'migration';
	const movements: Movement[] = [];
	for (const [tokenid, inputs] of Map.groupBy(taken, ({ token }) => token ?? '')) {
		const base = { chain, tokenid, rest: 0n } as const;
		if (payload?.kind !== 'transfer' || payload.tokenid !== tokenid) {
			const parts = [{ recipient: UNKNOWN, amount: valueOf(inputs) }];
			movements.push({ ...base, kind: isBurn ? kind : 'token-transfer', parts });
			continue;
		}
		const { leaves, named, burned } = unitsLeaving(tx, spent, payload, wallet);
		if (isBurn || burned > 0n) {
			const of = parseBurn(tx) === null ? 'token-burn' : 'migration';
			movements.push({ ...base, kind: of, parts: [partBurned(moving, of, burned)] });
		}
		if (isBurn) continue;
		const keys = payload.destPubkeys;
		const isTold = named >= leaves && keys.every((key) => key.length === 33);
		const amount = leaves - burned;
		const part = isTold ? partTo(wallet, keys, amount) : { recipient: UNKNOWN, amount };
		movements.push({ ...base, kind: 'token-transfer', parts: [part] });
	}
	return movements;
}

/** The coins that move as the kind of the transaction. */
function ofKind(moving: Moving, { kind, amount }: Usage, feeMost: bigint): Movement {
	const { chain, tx, wallet } = moving;
	const taken = amount ?? 0n;
	const base = { kind, chain, tokenid: null, rest: 0n } as const;
	switch (kind) {
		case 'coin-send':
			return payment(moving, kind, taken, feeMost);
		case 'migration': {
			const to = importedTo(moving) ?? [];
			const rest = taken - sumOf(to.map(({ amount }) => amount ?? 0n));
			// Payouts above the burned value are not covered by it, so they do not tell its recipient.
			if (to.length === 0 || rest < 0n) {
				return { ...base, parts: [{ recipient: UNKNOWN, amount: taken }] };
			}
			return { ...base, parts: joined(to), rest };
		}
		case 'token-create': {
			const recipient =
				wallet.pubkey === null ? UNKNOWN : recipientAt(addressOfPubkey(wallet.pubkey), true);
			return { ...base, parts: [{ recipient, amount: taken }] };
		}
		case 'self-import':
			// The source transaction does not show the recipient; an import does.
			return looksLikeImport(tx)
				? {
						...base,
						parts: joined(
							tx.vout.map((output) => ({
								recipient: recipientAt(payeeOf(output)),
								amount: output.value
							}))
						)
					}
				: { ...base, parts: [{ recipient: UNKNOWN, amount: taken }] };
		default:
			return { ...base, parts: [{ recipient: NOBODY, amount: taken }] };
	}
}

/**
 * Returns what a measured transaction moves; nothing for the import of a burn, which takes from no wallet.
 */
export function movementsOf(moving: Moving): Movement[] {
	const { tx, usages, wallet } = moving;
	const [own, ...others] = usages;
	if (own === undefined) return [];
	const { kind } = own;
	const left = valueOf(moving.spent) - valueOf(tx.vout);
	// Outputs above the inputs are paid by interest; nothing of that is hidden.
	const fee = left > 0n ? left : 0n;
	const feeMost = usualFeeOf(tx, fee);
	const tokens = looksLikeImport(tx) ? [] : tokensMoved(moving, kind);
	const movements = [...tokens];
	const ofTokens = kind === 'token-transfer' || kind === 'token-burn';
	// A transfer's coins of its own kind are its fee; coins above that are judged as a payment.
	const small = (own.amount ?? 0n) <= feeMost + (kind === 'migration' ? IMPORT_FEE : 0n);
	if (tokens.length === 0 || (!ofTokens && !(kind === 'migration' && small))) {
		movements.push(ofKind(moving, own, kind === 'coin-send' ? fee : feeMost));
	}
	for (const other of others) {
		// Units of a second kind are already among the tokens' movements.
		if (other.kind === 'coin-send') movements.push(payment(moving, kind, other.amount ?? 0n, fee));
	}
	// A wallet without a key cannot prove its change, so none of it counts as its own.
	return wallet.pubkey === null && movements.length === 0
		? [ofKind(moving, own, feeMost)]
		: movements;
}
