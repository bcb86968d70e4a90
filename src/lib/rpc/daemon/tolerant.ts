/**
 * Reads responses of daemons that match neither dialect exactly: numbers with fewer decimals, with an exponent or as
 * text, upper-case hex, and members that are missing or that nothing can be made of.
 */
import type { z } from 'zod';
import type { Dialect } from '../codec.ts';
import { exactInteger } from '../exact.ts';
import { JsonNumber, type JsonValue } from '../json.ts';
import type { Method } from '../method.ts';
import { RpcError } from '../rpcError.ts';
import { FIRST_FAULT } from '../schemaParts.ts';
import { readTolerantly, unreadable, type Members, type Read } from '../tolerant.ts';
import * as types from '../types.ts';
import { daemonMethods, type DaemonMethod, type DaemonResult } from './index.ts';

function strict(schema: z.ZodType, wire: unknown): unknown {
	const parsed = schema.safeParse(wire, FIRST_FAULT);
	return parsed.success ? parsed.data : unreadable();
}

const digitsOf = (wire: JsonValue): string =>
	wire instanceof JsonNumber ? wire.source : typeof wire === 'string' ? wire.trim() : unreadable();

function integer(wire: JsonValue): number {
	const value = exactInteger(digitsOf(wire));
	if (value === null || !Number.isSafeInteger(Number(value))) return unreadable();
	return Number(value);
}

/** A decimal point is refused: the interface document uses it for coins, which are 10^8 times as much. */
function units(wire: JsonValue): bigint {
	const digits = digitsOf(wire);
	return digits.includes('.') ? unreadable() : (exactInteger(digits) ?? unreadable());
}

const coins: Read = (wire) => exactInteger(digitsOf(wire), 8) ?? unreadable();

const lowerCase =
	(schema: z.ZodType): Read =>
	(wire) =>
		strict(schema, typeof wire === 'string' ? wire.toLowerCase() : wire);

/** Not an amount: the digits are kept as written. */
function real(wire: JsonValue): JsonNumber {
	if (exactInteger(digitsOf(wire), 18) === null && !(wire instanceof JsonNumber))
		return unreadable();
	return wire instanceof JsonNumber ? wire : new JsonNumber(String(Number(wire)));
}

const time: Read = (wire) => strict(types.seconds, new JsonNumber(String(integer(wire))));

const wholeText: Read = (wire) => String(exactInteger(digitsOf(wire)) ?? unreadable());

/** Tolerant readers of the schemas' building blocks. */
const BLOCKS = new Map<unknown, Read>([
	[types.int, integer],
	[types.seconds, time],
	[types.units, units],
	[types.coins, coins],
	[types.coinsOfSeed, coins],
	[types.ccidText, integer],
	[types.real, real],
	[types.digits, wholeText],
	[types.hash, lowerCase(types.hash)],
	[types.pubkey, lowerCase(types.pubkey)],
	[types.anyPubkey, lowerCase(types.anyPubkey)],
	[types.hex, lowerCase(types.hex)],
	[types.hexOrEmpty, lowerCase(types.hexOrEmpty)],
	[types.hex4, lowerCase(types.hex4)]
]);

/**
 * Native value of a missing member that follows from another one, or has one meaning where it is not written. Data
 * that pages report or guards check is never made up.
 */
const ABSENT = new Map<string, (wire: Members) => unknown>(
	Object.entries({
		rawconfirmations: ({ confirmations }) =>
			confirmations === undefined ? unreadable() : integer(confirmations),
		blocktime: ({ time: found }) => (found === undefined ? unreadable() : time(found)),
		valueZat: ({ value }) => (value === undefined ? unreadable() : coins(value)),
		valueSat: ({ value }) => (value === undefined ? unreadable() : coins(value)),
		generated: () => false
	} satisfies Record<string, (wire: Members) => unknown>)
);

/** Native values that apply to one method only. */
const ABSENT_OF: Partial<Record<DaemonMethod, Readonly<Record<string, unknown>>>> = {
	getinfo: {
		// Default relay fee of Komodo daemon 0.9.0.
		relayfee: 100n,
		// A daemon that does not report the upgrade is treated as having it from height 0.
		sapling: 0,
		// A key with which nothing can be built or paid has the effect of none.
		pubkey: undefined
	},
	// The interface document shows only `hex` and `complete`: without `errors`, a transaction can still be
	// incomplete.
	signrawtransaction: { errors: [] }
};

/** Optional members whose absence is a fact, so that null is not the same. */
const FACTS: Partial<Record<DaemonMethod, readonly string[]>> = {
	getinfo: ['CCid', 'pubkey', 'balance', 'unlocked_until'],
	// A token burn is no burn of coins, and a non-fungible token no fungible one.
	getwalletburntransactions: ['tokenid', 'inMempool'],
	tokeninfo: ['data', 'IsImported', 'sourceChain', 'sourceTokenId'],
	// What a payment does not claim is lost to the miner.
	listunspent: ['interest']
};

/**
 * Decodes a response that {@link decodeResult} rejects; null when it cannot be read without guessing.
 * Failures in results are not detected: call `inBandError` first.
 */
export function decodeTolerantly<M extends DaemonMethod>(
	method: M,
	wire: JsonValue,
	dialect: Dialect = 'komodod'
): DaemonResult<M> | null {
	const { result, seedResult } = daemonMethods[method] as unknown as Method;
	const forms = seedResult === undefined ? [result] : [result, seedResult];
	if (dialect === 'seed') forms.reverse();
	const own: Readonly<Record<string, unknown>> = ABSENT_OF[method] ?? {};
	const facts: readonly string[] = FACTS[method] ?? [];
	return readTolerantly(forms, wire, {
		blocks: BLOCKS,
		leaf: strict,
		absent: (name, members) => {
			const isFact = members[name] === null && facts.includes(name);
			return !isFact && Object.hasOwn(own, name)
				? own[name]
				: (ABSENT.get(name) ?? unreadable)(members);
		},
		facts,
		telling: ['literal', 'enum'],
		fail: (place) => new RpcError('validation-mismatch', { method, place })
	}) as DaemonResult<M> | null;
}
