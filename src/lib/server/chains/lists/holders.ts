import { z } from 'zod';
import { keysetPage, type Order } from './keyset.ts';
import { Units, type List, NO_ROWS } from './list.ts';
import { tokenFilter, tokenPlace } from './ofToken.ts';

interface HolderRow {
	holder: string;
	units: bigint;
}

const order: Order<HolderRow> = {
	columns: [
		{ name: 'units', type: 'int', value: ({ units }) => units },
		{ name: 'holder', type: 'text', value: ({ holder }) => holder }
	],
	descending: true
};

export const holders: List<HolderRow, typeof tokenFilter> = {
	name: 'holders',
	summary: 'Who holds a token, most units first',
	scope: 'chain',
	filter: tokenFilter,
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
		const place = await tokenPlace(index, query.chain, query.filter.tokenid);
		if (place === null) return NO_ROWS;
		const rows = index
			.selectFrom('ix_holders')
			.select(['holder', 'units'])
			.where('chain', '=', place.chain)
			.where('token', '=', place.token);
		return keysetPage(rows, order, query);
	}
};
