/** Summarizes what a transaction does in one line, as data: `lib/messages/headlines.ts` has the text. Pure. */
import { sumOf, valueOf } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import type { Headline, TokenUnits } from '#lib/messages/headlines.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import type { TxKind } from '../indexer/tables.ts';
import type { TokenEffectRow } from '../lists/transaction.ts';
import type { CreatedToken } from '../lists/transactionSubjects.ts';

/** The key without an owner: tokens transferred to it are destroyed. */
export const BURN_HOLDER = bytesToHex(BURN_PUBKEY);

/** What the index knows about a transaction besides its row. */
interface Subject {
	/** Movements of tokens, in order. */
	effects: readonly TokenEffectRow[];
	/** The token that it creates or imports. Without valid units it has no movement. */
	token: CreatedToken | null;
	burn: { target: string; value: bigint } | null;
	/** `source` is empty where the burn names none; `ccid` is null for a self-import. */
	import: { source: string; ccid: bigint | number | null } | null;
	notarization: { symbol: string; height: bigint } | null;
}

/** Decimals that the team has set for tokens, by tokenid; 0 for a token without an entry. */
export type TokenDecimals = ReadonlyMap<string, number>;

/** Returns the kind of an indexed transaction; a token transfer to the burn key counts as a destruction. */
export const kindOf = (kind: TxKind, effects: readonly TokenEffectRow[]): TransactionKind =>
	kind === 'token-transfer' && effects.some(({ to_holder }) => to_holder === BURN_HOLDER)
		? 'token-destroy'
		: kind;

const NO_TOKEN: TokenUnits = { tokenid: null, name: null, units: null, decimals: 0 };

function unitsOf(
	effects: readonly TokenEffectRow[],
	decimals: TokenDecimals,
	counts: (effect: TokenEffectRow) => boolean = () => true
): TokenUnits {
	const [first] = effects;
	if (first === undefined) return NO_TOKEN;
	const tokenid = bytesToHex(first.tokenid);
	return {
		tokenid,
		name: first.name,
		units: sumOf(effects.filter(counts).map(({ units }) => units)),
		decimals: decimals.get(tokenid) ?? 0
	};
}

function createdUnits(
	{ tokenid, name, supply }: CreatedToken,
	decimals: TokenDecimals
): TokenUnits {
	const id = bytesToHex(tokenid);
	return { tokenid: id, name, units: supply, decimals: decimals.get(id) ?? 0 };
}

/** Returns the headline of an indexed transaction; null for a payment, which {@link paymentHeadline} describes. */
export function headlineOf(
	row: { kind: TxKind; value: bigint },
	subject: Subject,
	{ ticker, decimals }: { ticker: string; decimals: TokenDecimals }
): Headline | null {
	const { effects, token, burn, import: arrived, notarization } = subject;
	const code = kindOf(row.kind, effects);
	switch (code) {
		case 'transfer':
			return null;
		case 'coinbase':
			return { code, paid: { value: row.value, ticker } };
		case 'token-create':
			return { code, name: token?.name ?? '' };
		case 'token-transfer': {
			const keys = effects.flatMap(({ to_holder }) => (to_holder === null ? [] : [to_holder]));
			return { code, token: unitsOf(effects, decimals), to: [...new Set(keys)] };
		}
		case 'token-destroy':
			return {
				code,
				token: unitsOf(effects, decimals, ({ to_holder }) => to_holder === BURN_HOLDER)
			};
		case 'burn':
			return burn && { code, burned: { value: burn.value, ticker }, target: burn.target };
		case 'token-burn':
			return burn && { code, token: unitsOf(effects, decimals), target: burn.target };
		case 'import': {
			const created = { value: row.value, ticker };
			return arrived?.ccid === null
				? { code: 'self-import', created }
				: { code, created, source: arrived?.source ? arrived.source : null };
		}
		case 'token-import':
			return {
				code,
				token: token === null ? NO_TOKEN : createdUnits(token, decimals),
				source: arrived?.source ? arrived.source : null
			};
		case 'notarization':
			return (
				notarization && { code, symbol: notarization.symbol, height: Number(notarization.height) }
			);
		default:
			return { code };
	}
}

/** Returns the headline of a payment: the amount paid to addresses other than those of the inputs. */
export function paymentHeadline(
	inputs: readonly { address: string | null }[],
	outputs: readonly { value: bigint; address: string | null; spendable: boolean }[],
	ticker: string
): Headline {
	const payers = new Set(inputs.map(({ address }) => address).filter((one) => one !== null));
	const carriers = outputs.filter(({ spendable }) => spendable);
	const away = carriers.filter(({ address }) => address === null || !payers.has(address));
	const paid = away.length === 0 ? carriers : away;
	return {
		code: 'payment',
		paid: { value: valueOf(paid), ticker },
		to: [...new Set(away.map(({ address }) => address))],
		hasData: carriers.length < outputs.length
	};
}
