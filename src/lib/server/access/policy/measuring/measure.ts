/**
 * What a transaction takes from a wallet, computed from its bytes and from those of the transactions that it
 * spends: inputs that may be the wallet's, minus outputs that are provably its own, fee included.
 * A transaction has one kind, and the coins that leave as that kind implies (a burn's value, a creation's
 * units, an ordinary fee) are the kind's amount; a transaction that burns some units and transfers others has
 * two kinds. All other coins that leave (payments, units created from coins, a fee above the ordinary one)
 * count as `coin-send`, so that no payload can hide a payment. All amounts together are what leaves the
 * wallet; a self-import adds what it creates.
 */
import { MAX_SATOSHI, valueOf } from '#lib/chain/amount.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { parseApproval } from '#lib/chain/approval.ts';
import { parseBurn, SELF_IMPORT_CCID } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import { BURN_PUBKEY, ccScript, UNIT_EVALS } from '#lib/chain/cryptocondition.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { looksLikeImport, parseImport } from '#lib/chain/importProof.ts';
import { parsePushes } from '#lib/chain/script.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import type { TokenCreation, TokenPayload, TokenTransfer } from '#lib/chain/token.ts';
import { isMarker, nftDataOf, tokenOutputScript, tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import {
	isShielded,
	readableTransaction,
	serializeTransaction,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import type { LimitKind, Usage } from './kinds.ts';

/** An input, as the output that it spends. */
export interface MeasuredInput extends TxOut {
	/** The token whose units it holds, according to the transaction that made it; null for coins. */
	token: string | null;
	/** Addresses of the keys that may spend it, see {@link openersOf}. */
	openers?: readonly string[] | null;
}

/** The wallet that sends. */
export interface MeasuredWallet {
	/** Its public key, hex; null when the daemon has none. */
	pubkey: string | null;
	/** Addresses whose keys the wallet holds. */
	addresses: ReadonlySet<string>;
	/** Addresses that its daemon was not asked about: they may be the wallet's own. */
	unasked: ReadonlySet<string>;
	/** Whether its chain pays interest on spending: only KMD does. */
	hasInterest: boolean;
}

type Measured =
	| { usages: Usage[]; /** Satoshi. */ fee: bigint }
	/** Why it cannot be measured. */
	| { unknown: Unmeasurable };

/** Codes of the reasons why a transaction cannot be measured. */
type Unmeasurable =
	| 'limit.shielded'
	| 'limit.amounts-impossible'
	| 'limit.import-unreadable'
	| 'limit.pays-more-than-it-spends';

/** Satoshi per started 1000 bytes: what the token module pays, and twice what the others pay. */
const ORDINARY_FEE = 10_000n;
/** Change below this is left to the miner, since an output is not worth it. Satoshi. */
const DUST = 20_000n;

/** Parses the hex of a transaction; null when it is not a readable one. */
export const readHex = (hex: string): Transaction | null => readableTransaction(hex.toLowerCase());

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const isCondition = ({ script }: TxOut): boolean => classify(script).type === 'cryptocondition';
const inRange = ({ value }: TxOut): boolean => value >= 0n && value <= MAX_SATOSHI;

/** Types of scripts whose address identifies the owner. The address of a condition belongs to no key. */
const OF_AN_ADDRESS: ReadonlySet<string> = new Set(['pubkey', 'pubkeyhash', 'scripthash']);

/**
 * Address that a daemon can be asked about to learn the owner of a script; null for scripts of other types.
 */
export function addressOf({ script }: Pick<TxOut, 'script'>): string | null {
	const { type, address } = classify(script);
	return OF_AN_ADDRESS.has(type) ? (address ?? null) : null;
}

/** Whether an output pays to a key or an address of the wallet. */
export function isOwn(output: TxOut, { pubkey, addresses }: MeasuredWallet): boolean {
	const key = classify(output.script).pubkey;
	if (key !== undefined && bytesToHex(key) === pubkey) return true;
	const address = addressOf(output);
	return address !== null && addresses.has(address);
}

/**
 * Addresses of the keys of a P2SH script. The output holds only the script's hash; the input that spends it
 * reveals the script. Null where the input does not reveal it, and for outputs of other types.
 */
export function openersOf({ script }: TxOut, scriptSig: Uint8Array): readonly string[] | null {
	const { type, hash } = classify(script);
	const shown = type === 'scripthash' ? parsePushes(scriptSig)?.at(-1) : undefined;
	if (shown === undefined || hash === undefined || !bytesEqual(hash160(shown), hash)) return null;
	const { pubkeys } = classify(shown);
	const address = addressOf({ script: shown });
	return pubkeys?.map(addressOfPubkey) ?? (address === null ? null : [address]);
}

/**
 * Whether an input is certainly not the wallet's: all keys that may spend it are known to be others'. Shared
 * and unknown scripts may be spendable by the wallet. When a daemon says that a P2SH address is not the
 * wallet's, that only means that the wallet's keys alone do not suffice.
 */
export function isForeign(output: MeasuredInput, wallet: MeasuredWallet): boolean {
	const address = addressOf(output);
	if (address === null || isOwn(output, wallet)) return false;
	const isShared = classify(output.script).type === 'scripthash';
	const openers = isShared ? (output.openers ?? null) : [address];
	return (
		openers !== null &&
		openers.every((one) => !wallet.addresses.has(one) && !wallet.unasked.has(one))
	);
}

/** The token whose units an output holds, according to its transaction; null for coins. */
export function tokenAt(txid: string, tx: Transaction, vout: number): string | null {
	const payload = tokenPayloadOf(tx);
	const output = tx.vout[vout];
	if (payload === null || output === undefined || !isCondition(output)) return null;
	return payload.kind === 'create' ? txid : payload.tokenid;
}

/**
 * Scripts that may hold units after a transfer, hex, with the keys that hold them: those of its recipients, and
 * those of the change.
 */
export function unitHolders(
	{ destPubkeys }: TokenTransfer,
	{ pubkey }: Pick<MeasuredWallet, 'pubkey'>
): ReadonlyMap<string, readonly Uint8Array[]> {
	const to = destPubkeys.filter((key) => key.length === 33);
	const owners = [...to.map((key) => [key]), ...(to.length === 2 ? [to] : [])];
	if (pubkey !== null) owners.push([hexToBytes(pubkey)]);
	return new Map(
		owners.flatMap((keys) =>
			UNIT_EVALS.map((codes) => [bytesToHex(ccScript(keys, codes)), keys] as const)
		)
	);
}

/** The scripts of {@link unitHolders}. */
export const unitScripts = (
	payload: TokenTransfer,
	wallet: Pick<MeasuredWallet, 'pubkey'>
): ReadonlySet<string> => new Set(unitHolders(payload, wallet).keys());

/**
 * Value of outputs that counts as moved units and not as coins: at most what goes in as units of the same
 * token. The excess was made from coins.
 */
function movedUnits(
	tx: Transaction,
	spent: readonly MeasuredInput[],
	payload: TokenTransfer,
	wallet: MeasuredWallet
): bigint {
	const scripts = unitScripts(payload, wallet);
	const out = tx.vout.filter(({ script }) => scripts.has(bytesToHex(script)));
	return least(valueOf(spent.filter(({ token }) => token === payload.tokenid)), valueOf(out));
}

/** Value of the marker output that lists a token, in satoshi (Komodo daemon 0.9.0, `CreateToken`). */
const MARKER_SATOSHI = 10_000n;

/**
 * Satoshi that become units of a new token of the wallet's own key, and those of the marker output that lists
 * it. What a marker holds beyond its usual value is a payment: its key is public, so others can spend it.
 */
function createdUnits(tx: Transaction, payload: TokenCreation, { pubkey }: MeasuredWallet): bigint {
	if (bytesToHex(payload.owner) !== pubkey) return 0n;
	const script = tokenOutputScript(payload.owner, nftDataOf(tx));
	const markers = tx.vout.filter((output) => isMarker(output.script));
	const units = tx.vout.filter((output) => bytesEqual(output.script, script));
	return valueOf(units) + least(valueOf(markers), MARKER_SATOSHI);
}

/** Units that a transfer takes from a wallet. */
interface UnitsLeaving {
	/** Units that do not come back to the wallet's key. */
	leaves: bigint;
	/**
	 * Units in outputs for the other keys that the payload names. The chain also accepts outputs that hold
	 * units for the key of an input, whatever the payload names.
	 */
	named: bigint;
	/** Units that leave and are destroyed. */
	burned: bigint;
}

const isBurnKey = (key: Uint8Array): boolean => bytesEqual(key, BURN_PUBKEY);

/** Returns the units of a token that a transfer sends to others, as far as the bytes tell. */
export function unitsLeaving(
	tx: Transaction,
	spent: readonly MeasuredInput[],
	payload: TokenTransfer,
	wallet: MeasuredWallet
): UnitsLeaving {
	const held = (scripts: ReadonlySet<string>): bigint =>
		valueOf(tx.vout.filter(({ script }) => scripts.has(bytesToHex(script))));
	const given = spent.filter(
		(output) => output.token === payload.tokenid && !isForeign(output, wallet)
	);
	const back = unitScripts({ ...payload, destPubkeys: [] }, wallet);
	// What comes back beyond the wallet's own units was made from coins: it must not reduce what leaves.
	const leaves = most(valueOf(given) - held(back), 0n);
	const burnKeys = { ...payload, destPubkeys: payload.destPubkeys.filter(isBurnKey) };
	return {
		leaves,
		named: held(unitScripts(payload, { pubkey: null }).difference(back)),
		burned: least(held(unitScripts(burnKeys, { pubkey: null })), leaves)
	};
}

interface Kind {
	kind: LimitKind;
	/** Second kind: the burn of units in a transaction that also transfers others. */
	beside?: LimitKind;
	/** Satoshi that leave as that kind implies, without the fee. */
	meant: bigint;
	/** Satoshi that it creates. */
	made: bigint;
}

function kindOf(
	tx: Transaction,
	spent: readonly MeasuredInput[],
	payload: TokenPayload | null,
	wallet: MeasuredWallet
): Kind {
	const burn = parseBurn(tx);
	if (burn !== null && payload === null) return { kind: 'migration', meant: burn.value, made: 0n };
	if (payload?.kind === 'create') {
		return { kind: 'token-create', meant: createdUnits(tx, payload, wallet), made: 0n };
	}
	if (payload !== null) {
		const { leaves, burned } = unitsLeaving(tx, spent, payload, wallet);
		const burns: LimitKind = burn === null ? 'token-burn' : 'migration';
		if (payload.destPubkeys.some(isBurnKey) && burned === leaves) {
			return { kind: burns, meant: burn?.value ?? 0n, made: 0n };
		}
		const beside = burned > 0n ? { beside: burns } : {};
		return { kind: 'token-transfer', ...beside, meant: 0n, made: 0n };
	}
	const made = parseSelfImportSource(tx);
	if (made !== null) return { kind: 'self-import', meant: 0n, made };
	if (parseApproval(tx)?.sound === true) return { kind: 'notary-approval', meant: 0n, made: 0n };
	return { kind: 'coin-send', meant: MAX_SATOSHI, made: 0n };
}

/**
 * Measures an import. It spends no output: its coins were burned elsewhere, or (self-import) are created by
 * it.
 */
function measureImport(tx: Transaction): Measured {
	const parts = parseImport(tx);
	const burn = parts && parseBurn(parts.burnTx);
	if (!burn) return { unknown: 'limit.import-unreadable' };
	if (burn.targetCcid !== SELF_IMPORT_CCID) return { usages: [], fee: 0n };
	return { usages: [{ kind: 'self-import', amount: valueOf(tx.vout) }], fee: 0n };
}

/**
 * Whether outputs can exceed the inputs only by interest on the wallet's own coins: every input is provably
 * the wallet's, and every output has a known owner. The KMD daemon adds interest to the change of
 * transactions that it funds.
 */
const exceedsByInterest = (
	tx: Transaction,
	spent: readonly MeasuredInput[],
	wallet: MeasuredWallet
): boolean =>
	wallet.hasInterest &&
	tokenPayloadOf(tx) === null &&
	spent.every((output) => output.token === null && isOwn(output, wallet)) &&
	[...spent, ...tx.vout].every((output) => addressOf(output) !== null);

/**
 * Satoshi paid to other owners. With interest in the change, inputs minus change would not tell the amount.
 */
const paidToOthers = (tx: Transaction, wallet: MeasuredWallet): bigint =>
	valueOf(tx.vout.filter((output) => !isOwn(output, wallet)));

/** The part of a fee that a transaction of this size usually pays, in satoshi. */
export function usualFeeOf(tx: Transaction, fee: bigint): bigint {
	const size = BigInt(serializeTransaction(tx).length);
	return least(fee, ((size + 999n) / 1000n) * ORDINARY_FEE + DUST);
}

/** @param spent the outputs that its inputs spend, in order; none for an import */
export function measureSpend(
	tx: Transaction,
	spent: readonly MeasuredInput[],
	wallet: MeasuredWallet
): Measured {
	if (isShielded(tx) || tx.valueBalance !== 0n) {
		return { unknown: 'limit.shielded' };
	}
	if (![...tx.vout, ...spent].every(inRange) || valueOf(tx.vout) > MAX_SATOSHI) {
		return { unknown: 'limit.amounts-impossible' };
	}
	if (looksLikeImport(tx)) return measureImport(tx);
	const fee = valueOf(spent) - valueOf(tx.vout);
	const payload = tokenPayloadOf(tx);
	if (fee < 0n) {
		return exceedsByInterest(tx, spent, wallet)
			? { usages: [{ kind: 'coin-send', amount: paidToOthers(tx, wallet) }], fee: 0n }
			: { unknown: 'limit.pays-more-than-it-spends' };
	}

	const units = payload?.kind === 'transfer' ? movedUnits(tx, spent, payload, wallet) : 0n;
	const back = tx.vout.filter((output) => isOwn(output, wallet));
	const taken = most(
		valueOf(spent.filter((output) => !isForeign(output, wallet))) - valueOf(back) - units,
		0n
	);

	const { kind, beside, meant, made } = kindOf(tx, spent, payload, wallet);
	if (made < 0n || made + taken > MAX_SATOSHI) return { unknown: 'limit.amounts-impossible' };
	const ofKind = least(taken, meant + usualFeeOf(tx, fee));
	const sent = taken - ofKind;
	return {
		usages: [
			{ kind, amount: ofKind + made },
			...(beside === undefined ? [] : [{ kind: beside, amount: 0n }]),
			...(sent > 0n ? [{ kind: 'coin-send' as const, amount: sent }] : [])
		],
		fee
	};
}
