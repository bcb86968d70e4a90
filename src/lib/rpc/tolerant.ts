/**
 * Reads responses of daemons that match neither dialect exactly: extra members, missing members that nothing
 * depends on, numbers with fewer decimals, with an exponent or as text, upper-case hex. Values are read
 * exactly or not at all; the mismatch is still counted.
 */
import type { z } from 'zod';
import type { Dialect } from './codec.ts';
import { daemonMethods, type DaemonMethod, type DaemonResult } from './daemon/index.ts';
import { exactInteger } from './exact.ts';
import { isJsonObject, JsonNumber, type JsonValue } from './json.ts';
import type { Method } from './method.ts';
import { FIRST_FAULT, partsOf, type SchemaParts } from './schemaParts.ts';
import * as types from './types.ts';

/** A value cannot be read as the expected type. */
class Unreadable extends Error {}

const no = (): never => {
	throw new Unreadable();
};

type Read = (wire: JsonValue) => unknown;

const digitsOf = (wire: JsonValue): string =>
	wire instanceof JsonNumber ? wire.source : typeof wire === 'string' ? wire.trim() : no();

function integer(wire: JsonValue): number {
	const value = exactInteger(digitsOf(wire));
	if (value === null || !Number.isSafeInteger(Number(value))) return no();
	return Number(value);
}

/** A decimal point is refused: the interface document uses it for coins, which are 10^8 times as much. */
function units(wire: JsonValue): bigint {
	const digits = digitsOf(wire);
	return digits.includes('.') ? no() : (exactInteger(digits) ?? no());
}

const coins: Read = (wire) => exactInteger(digitsOf(wire), 8) ?? no();

const lowerCase =
	(schema: z.ZodType): Read =>
	(wire) =>
		strict(schema, typeof wire === 'string' ? wire.toLowerCase() : wire);

/** Not an amount: the digits are kept as written. */
function real(wire: JsonValue): JsonNumber {
	if (exactInteger(digitsOf(wire), 18) === null && !(wire instanceof JsonNumber)) return no();
	return wire instanceof JsonNumber ? wire : new JsonNumber(String(Number(wire)));
}

const time: Read = (wire) => strict(types.seconds, new JsonNumber(String(integer(wire))));

const wholeText: Read = (wire) => String(exactInteger(digitsOf(wire)) ?? no());

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

type Members = Readonly<Record<string, JsonValue>>;

const NO_HASH = '0'.repeat(64);
const sameAs =
	(name: string): ((wire: Members) => unknown) =>
	(wire) =>
		wire[name] === undefined ? no() : integer(wire[name]);
const satoshi = (wire: Members): unknown =>
	wire['value'] === undefined ? no() : coins(wire['value']);

/**
 * Native replacement of a missing member. Only members that nothing depends on are listed; data that pages
 * report or guards check is never made up.
 */
const ABSENT = new Map<string, (wire: Members) => unknown>(
	Object.entries({
		last_notarized_height: () => 0,
		rawconfirmations: sameAs('confirmations'),
		blocktime: sameAs('time'),
		valueZat: satoshi,
		valueSat: satoshi,
		vjoinsplit: () => [],
		vShieldedSpend: () => [],
		vShieldedOutput: () => [],
		valueBalance: () => 0n,
		segid: () => -2,
		generated: () => false,
		sequence: () => 0xffffffff,
		asm: () => '',
		reqSigs: () => 1,
		walletconflicts: () => [],
		anchor: () => NO_HASH,
		valuePools: () => [],
		chainSupply: () => ({ monitored: false }),
		softforks: () => [],
		startingpriority: () => new JsonNumber('0'),
		currentpriority: () => new JsonNumber('0'),
		depends: () => []
	})
);

/** Members of `getinfo` that not every daemon has and that pages only display. */
const SHOWN_ONLY = [
	...['KMDnotarized_height', 'walletversion', 'keypoololdest', 'keypoolsize', 'paytxfee'],
	...['notaryname', 'lastmined', 'magic', 'premine', 'StakedEra', 'eras', 'reward', 'halving'],
	...['decay', 'endsubsidy', 'notarypay', 'commission', 'staked', 'algo']
];

/** Replacements that apply to one method only. */
const ABSENT_OF: Partial<Record<DaemonMethod, Readonly<Record<string, unknown>>>> = {
	getinfo: {
		version: 0,
		protocolversion: 0,
		synced: true,
		notarized: 0,
		prevMoMheight: 0,
		notarizedhash: NO_HASH,
		notarizedtxid: NO_HASH,
		notarizedtxid_height: 0,
		notarized_confirms: 0,
		longestchain: 0,
		tiptime: 0,
		connections: 0,
		difficulty: new JsonNumber('0'),
		timeoffset: 0,
		proxy: '',
		testnet: false,
		errors: '',
		p2pport: 0,
		rpcport: 0,
		// Default relay fee of Komodo daemon 0.9.0.
		relayfee: 100n,
		// A daemon that does not report the upgrade is treated as having it from height 0.
		sapling: 0,
		// A key with which nothing can be built or paid has the effect of none.
		pubkey: undefined,
		// Setup of chain and wallet is only displayed and decides nothing, so unreadable values are dropped.
		...Object.fromEntries(SHOWN_ONLY.map((name) => [name, undefined]))
	},
	// Of the wallet only balances and the lock are read.
	getwalletinfo: {
		walletversion: 0,
		txcount: 0,
		keypoololdest: 0,
		keypoolsize: 0,
		paytxfee: 0n,
		seedfp: undefined
	},
	// The interface document shows only `hex` and `complete`: without `errors`, a transaction can still be
	// incomplete.
	signrawtransaction: { errors: [] },
	getblockchaininfo: {
		chain: 'main',
		synced: true,
		headers: 0,
		difficulty: new JsonNumber('0'),
		verificationprogress: new JsonNumber('1'),
		chainwork: NO_HASH,
		pruned: false,
		commitments: 0,
		upgrades: {},
		consensus: { chaintip: '00000000', nextblock: '00000000' }
	}
};

function strict(schema: z.ZodType, wire: unknown): unknown {
	const parsed = schema.safeParse(wire, FIRST_FAULT);
	return parsed.success ? parsed.data : no();
}

class Reader {
	readonly #absent: Readonly<Record<string, unknown>>;

	constructor(method: DaemonMethod) {
		this.#absent = ABSENT_OF[method] ?? {};
	}

	read(schema: z.ZodType, wire: JsonValue): unknown {
		const block = BLOCKS.get(schema);
		if (block) return block(wire);
		const def = partsOf(schema);
		switch (def.type) {
			case 'object':
				return isJsonObject(wire) ? this.#object(def.shape!, wire) : no();
			case 'union':
				return this.#union(def.options!, wire);
			case 'array':
				return Array.isArray(wire)
					? wire.map((item: JsonValue) => this.read(def.element!, item))
					: no();
			case 'record':
				return isJsonObject(wire) ? this.#record(def, wire) : no();
			case 'optional':
				return this.read(def.innerType!, wire);
			case 'pipe':
				return partsOf(def.in!).type === 'object'
					? def.transform!(this.read(def.in!, wire), {})
					: strict(schema, wire);
			default:
				return strict(schema, wire);
		}
	}

	#object(shape: Record<string, z.ZodType>, wire: Members): unknown {
		const native: Record<string, unknown> = {};
		for (const [name, schema] of Object.entries(shape)) {
			const optional = partsOf(schema).type === 'optional';
			const member = Object.hasOwn(wire, name) ? wire[name] : undefined;
			if (member === undefined || (optional && member === null)) {
				if (!optional) native[name] = this.#missing(name, wire);
			} else native[name] = this.#member(name, schema, wire);
		}
		return native;
	}

	/** Reads a member; one that cannot be read is treated as missing if nothing depends on it. */
	#member(name: string, schema: z.ZodType, wire: Members): unknown {
		const member = wire[name]!;
		try {
			return this.read(schema, member);
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
			if (Object.hasOwn(this.#absent, name)) return this.#absent[name];
			if (member === null) return this.#missing(name, wire);
			throw error;
		}
	}

	#missing(name: string, wire: Members): unknown {
		if (Object.hasOwn(this.#absent, name)) return this.#absent[name];
		const stands = ABSENT.get(name);
		return stands ? stands(wire) : no();
	}

	/**
	 * Reads a value with the first option that fits. Options that lack a member of the value which another
	 * option has are skipped.
	 */
	#union(options: readonly z.ZodType[], wire: JsonValue): unknown {
		// A value (other than an object) that an option accepts strictly needs no tolerant reading.
		for (const option of options) {
			const plain = isJsonObject(wire) ? undefined : option.safeParse(wire, FIRST_FAULT);
			if (plain?.success) return plain.data;
		}
		const shapes = options.map((option) => partsOf(option).shape);
		const known = new Set(shapes.flatMap((shape) => Object.keys(shape ?? {})));
		for (const [index, option] of options.entries()) {
			const shape = shapes[index];
			const leavesOut =
				shape !== undefined &&
				isJsonObject(wire) &&
				Object.keys(wire).some((name) => known.has(name) && !Object.hasOwn(shape, name));
			if (leavesOut) continue;
			try {
				return this.read(option, wire);
			} catch (error) {
				if (!(error instanceof Unreadable)) throw error;
			}
		}
		return no();
	}

	#record({ keyType, valueType }: SchemaParts, wire: Members): unknown {
		return Object.fromEntries(
			Object.entries(wire).map(([name, member]) => [
				String(this.read(keyType!, name)),
				this.read(valueType!, member)
			])
		);
	}
}

/**
 * Returns a member of a `getinfo` result; null when the daemon did not report it in a form that can be read.
 * The decoded result then has a replacement, which is not a fact about the daemon.
 */
export function reported<Name extends keyof DaemonResult<'getinfo'>>(
	info: Pick<DaemonResult<'getinfo'>, Name>,
	name: Name
): DaemonResult<'getinfo'>[Name] | null {
	const wire = asWritten(info);
	if (!isJsonObject(wire)) return info[name];
	const schema = partsOf(daemonMethods.getinfo.result).shape?.[name];
	if (schema === undefined || !Object.hasOwn(wire, name)) return null;
	try {
		new Reader('getinfo').read(schema, wire[name] ?? null);
		return info[name];
	} catch (error) {
		if (error instanceof Unreadable) return null;
		throw error;
	}
}

const written = new WeakMap<object, JsonValue>();

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
	const schemas = seedResult === undefined ? [result] : [result, seedResult];
	if (dialect === 'seed') schemas.reverse();
	const reader = new Reader(method);
	for (const schema of schemas) {
		try {
			const native = reader.read(schema, wire);
			noteWritten(native, wire);
			return native as DaemonResult<M>;
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
		}
	}
	return null;
}

/** Remembers the original response of a result that was decoded in another thread. */
export function noteWritten(native: unknown, wire: JsonValue): void {
	if (typeof native === 'object' && native !== null) written.set(native, wire);
}

/** Whether the response leaves out a member, or says null: the decoded result has a replacement for it at most. */
export function isLeftOut(native: object, name: string): boolean {
	const wire = asWritten(native);
	return isJsonObject(wire) && (wire[name] ?? null) === null;
}

/** Returns the original response of a tolerantly decoded result; undefined for all others. */
export function asWritten(native: unknown): JsonValue | undefined {
	return typeof native === 'object' && native !== null ? written.get(native) : undefined;
}
