import { RPC_TYPE_ERROR } from '#lib/rpc/errorCodes.ts';
import { exactInteger } from '#lib/rpc/exact.ts';
import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { RpcError } from './error.ts';
import type { LedgerApi } from '../ledger/api.ts';

/** Number of blocks whose rewards the daemon sums up to find the largest possible amount of a chain. */
const REWARDED_BLOCKS = 10_000_000n;
const COIN = 100_000_000n;
const MAIN_MAX_MONEY = 200_000_000n * COIN;

/** MAX_MONEY of release 0.9.0: no given amount may exceed it. */
const maxMoney = ({ isMain, params: { premine, reward } }: LedgerApi): bigint =>
	isMain ? MAIN_MAX_MONEY : premine + COIN + REWARDED_BLOCKS * reward;

/**
 * Numbers as the daemon's `ParseFixedPoint` accepts them: JSON, with exponents (Python writes 0.00001 as
 * `1e-05`).
 */
const FIXED_POINT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** Amounts of at least this value are invalid on every chain. */
const FIXED_POINT_END = 10n ** 18n;

/** Parses an amount strictly: a number, or a string with one, in whole satoshi. */
export const strictAmount = (ledger: LedgerApi, value: JsonValue | undefined): bigint => {
	if (typeof value !== 'string' && !(value instanceof JsonNumber)) {
		throw new RpcError(RPC_TYPE_ERROR, 'Amount is not a number or string');
	}
	const text = typeof value === 'string' ? value : value.source;
	const amount = FIXED_POINT.test(text) ? exactInteger(text, 8) : null;
	if (amount === null || amount >= FIXED_POINT_END || amount <= -FIXED_POINT_END) {
		throw new RpcError(RPC_TYPE_ERROR, 'Invalid amount');
	}
	if (amount < 0n || amount > maxMoney(ledger)) {
		throw new RpcError(RPC_TYPE_ERROR, 'Amount out of range');
	}
	return amount;
};
