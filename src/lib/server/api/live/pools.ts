/** Limits of open event streams. */

export interface StreamLimits {
	/** Of one member, over all credentials. The pages of one browser share a stream. */
	member: number;
	/** Of all members behind one address, such as an office. */
	address: number;
	/** Of visitors behind one address, and of all visitors: they do not use up the limits of members. */
	visitorsOfAddress: number;
	visitors: number;
	/** Of all callers together. */
	all: number;
}

export const STREAM_LIMITS: StreamLimits = {
	member: 12,
	address: 240,
	visitorsOfAddress: 24,
	visitors: 500,
	all: 2_000
};

/** The owner of a stream. */
export interface Holder {
	/** The account; null for a visitor. */
	member: string | null;
	/** Client address or its network. */
	address: string;
}

/** The limit that is reached. */
export type Full = 'address' | 'visitors' | 'server';

/**
 * Decides whether one more stream may be opened. A member at their limit loses their oldest stream, often that
 * of a browser that vanished without closing it; streams of other callers are never closed.
 *
 * @param open in the order of opening
 */
export function admit<H extends Holder>(
	open: readonly H[],
	{ member, address }: Holder,
	limits: StreamLimits
): { closes: H | null } | { full: Full } {
	if (member === null) {
		const visitors = open.filter((one) => one.member === null);
		if (visitors.length >= limits.visitors) return { full: 'visitors' };
		const here = visitors.filter((one) => one.address === address).length;
		if (here >= limits.visitorsOfAddress) return { full: 'address' };
	} else {
		const own = open.filter((one) => one.member === member);
		if (own.length >= limits.member) return { closes: own[0]! };
		const here = open.filter((one) => one.member !== null && one.address === address).length;
		if (here >= limits.address) return { full: 'address' };
	}
	return open.length >= limits.all ? { full: 'server' } : { closes: null };
}
