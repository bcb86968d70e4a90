import { z } from 'zod';
import type { Index } from '../open.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Units, type List } from './list.ts';

export interface HolderRow {
	holder: string;
	units: bigint;
}

const filter = z.object({
	tokenid: z
		.string('Name a token.')
		.regex(/^[0-9a-f]{64}$/, 'A tokenid has 64 hex digits.')
		.describe('The token')
});

const order: Order<HolderRow> = {
	columns: [
		{ name: 'units', type: 'int', value: ({ units }) => units },
		{ name: 'holder', type: 'text', value: ({ holder }) => holder }
	],
	descending: true
};

/** The place of a token on its chain, by which its holders and moves are kept. */
export async function tokenSeq(
	index: Index,
	chain: bigint,
	tokenid: string
): Promise<bigint | null> {
	const row = await index
		.selectFrom('ix_tokens')
		.select('seq')
		.where('tokenid', '=', Buffer.from(tokenid, 'hex'))
		.where('chain', '=', chain)
		.executeTakeFirst();
	return row?.seq ?? null;
}

export const holders: List<HolderRow, typeof filter> = {
	name: 'holders',
	summary: 'Who holds a token, most units first',
	scope: 'chain',
	filter,
	sorts: ['-units'],
	row: z.object({
		holder: z.string().describe('Compressed key; two joined by +; or the address of the script'),
		units: Units
	}),
	wire: ({ holder, units }) => ({ holder, units: units.toString() }),
	columns: [
		{ title: 'holder', value: ({ holder }) => holder },
		{ title: 'units', value: ({ units }) => units }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		const token = chain === null ? null : await tokenSeq(index, chain, query.filter.tokenid);
		if (chain === null || token === null) return { rows: [], next: null };
		const rows = index
			.selectFrom('ix_holders')
			.select(['holder', 'units'])
			.where('chain', '=', chain)
			.where('token', '=', token);
		return keysetPage(rows, order, query);
	}
};
