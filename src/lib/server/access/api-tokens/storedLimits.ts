/** The limits of an API token in its row: JSON texts, null for no limit. */
import type { TokenAmounts } from '../identity/identity.ts';

/** The limits of a token, beyond its role and its member's rights. */
export interface GivenLimits {
	methods: readonly string[] | null;
	/** Ids of the daemons and trading nodes that it may call. */
	daemons: readonly string[] | null;
	/** Networks from which it may be used. */
	addresses: readonly string[] | null;
	/** Ids of the daemons whose wallets it may use. */
	wallets: readonly string[] | null;
	amounts: readonly TokenAmounts[] | null;
	/** Addresses that it may pay. */
	recipients: readonly string[] | null;
}

export const NO_LIMITS: GivenLimits = {
	methods: null,
	daemons: null,
	addresses: null,
	wallets: null,
	amounts: null,
	recipients: null
};

type StoredLimits = { readonly [limit in keyof GivenLimits]: string | null };

interface StoredAmounts {
	chain: string;
	each: string | null;
	day: string | null;
}

const textOf = (list: readonly string[] | null): string | null =>
	list === null ? null : JSON.stringify([...new Set(list)]);
const listOf = (text: string | null): readonly string[] | null =>
	text === null ? null : (JSON.parse(text) as string[]);
const numberOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

const amountsText = (amounts: readonly TokenAmounts[] | null): string | null =>
	amounts === null
		? null
		: JSON.stringify(
				amounts.map(({ chain, each, day }): StoredAmounts => ({
					chain,
					each: each === null ? null : String(each),
					day: day === null ? null : String(day)
				}))
			);

const amountsOf = (text: string | null): readonly TokenAmounts[] | null =>
	text === null
		? null
		: (JSON.parse(text) as StoredAmounts[]).map(({ chain, each, day }) => ({
				chain,
				each: numberOf(each),
				day: numberOf(day)
			}));

/** Returns the limits of a token as columns of its row. */
export const storedLimits = (limits: GivenLimits): StoredLimits => ({
	methods: textOf(limits.methods),
	daemons: textOf(limits.daemons),
	addresses: textOf(limits.addresses),
	wallets: textOf(limits.wallets),
	amounts: amountsText(limits.amounts),
	recipients: textOf(limits.recipients)
});

/** Reads the limits of a token from its row. */
export const limitsOf = (row: StoredLimits): GivenLimits => ({
	methods: listOf(row.methods),
	daemons: listOf(row.daemons),
	addresses: listOf(row.addresses),
	wallets: listOf(row.wallets),
	amounts: amountsOf(row.amounts),
	recipients: listOf(row.recipients)
});
