/** Who may have how many event streams open. */

export interface StreamLimits {
	/** Of one member, whatever they are opened with. The pages of one browser share one. */
	member: number;
	/** Of all members behind one address: a whole office. */
	address: number;
	/** Of visitors behind one address, and of all visitors: they take no place of a member. */
	visitorsOfAddress: number;
	visitors: number;
	/** Of all callers. */
	all: number;
}

export const STREAM_LIMITS: StreamLimits = {
	member: 12,
	address: 240,
	visitorsOfAddress: 24,
	visitors: 500,
	all: 2_000
};

/** Whose stream it is. */
export interface Holder {
	/** The account; null for a visitor. */
	member: string | null;
	/** Of the client, or its network. */
	address: string;
}

/** Why no stream is opened. */
export type Full = 'address' | 'visitors' | 'server';

/**
 * Whether one more stream may be opened. A member who has all of theirs loses the oldest, which is often one
 * of a browser that went away without a word; it is never that of another caller.
 *
 * @param open in the order in which they were opened
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
