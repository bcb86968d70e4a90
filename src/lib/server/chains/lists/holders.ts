import { listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { percent } from '#lib/text/share.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Units, type List, NO_ROWS } from './list.ts';
import { tokenFilter, tokenPlace } from './ofToken.ts';

interface HolderRow {
	holder: string;
	units: bigint;
	/** Units not burned or migrated away, read in the same query. */
	circulating: bigint;
}

const order: Order<HolderRow> = {
	columns: [
		{ name: 'h.units', type: 'int', value: ({ units }) => units },
		{ name: 'h.holder', type: 'text', value: ({ holder }) => holder }
	],
	descending: true
};

export const holders: List<HolderRow, typeof tokenFilter> = {
	name: 'holders',
	summary: listSummaries.holders,
	scope: 'chain',
	filter: tokenFilter,
	sorts: ['-units'],
	row: z.object({
		holder: z.string().describe(listMembers.holderKey),
		units: Units,
		share: z
			.string()
			.regex(/^\d+\.\d\d$/)
			.nullable()
			.describe(listMembers.share)
	}),
	wire: ({ holder, units, circulating }) => ({
		holder,
		units: units.toString(),
		share: percent(units, circulating)
	}),
	columns: [
		{ title: 'holder', value: ({ holder }) => holder },
		{ title: 'units', value: ({ units }) => units },
		{
			title: 'share',
			value: ({ units, circulating }) => {
				const share = percent(units, circulating);
				return share === null ? null : { decimal: share };
			}
		}
	],
	async read(index, query) {
		const place = await tokenPlace(index, query.chain, query.filter.tokenid);
		if (place === null) return NO_ROWS;
		const rows = index
			.selectFrom('ix_holders as h')
			.innerJoin('ix_tokens as t', (join) =>
				join.onRef('t.chain', '=', 'h.chain').onRef('t.seq', '=', 'h.token')
			)
			.select(['h.holder', 'h.units', sql<bigint>`t.supply - t.burned`.as('circulating')])
			.where('h.chain', '=', place.chain)
			.where('h.token', '=', place.token);
		return keysetPage(rows, order, query);
	}
};
