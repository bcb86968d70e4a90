/** The inputs and outputs of a transaction on its page: some of them at a time, however many there are. */
import { sumOf } from '#lib/chain/amount.ts';
import type { TransactionFacts } from './transactionView.ts';

/** All that is told of one side of a flow, whichever part of it is listed. */
interface FlowSum {
	count: number;
	/** Satoshi; null where a value is not known. */
	total: bigint | null;
	/** Satoshi, for a picture: those behind the first ones are one. */
	shares: (bigint | null)[];
}

export interface Flow {
	inputs: FlowSum;
	outputs: FlowSum;
	page: number;
	pages: number;
}

/** Lines of a side at once: 200,000 bytes have room for some 5,900 outputs, and other chains may allow more. */
const LINES = 200;
/** With the fee as many as a picture has room for. */
const SHARES = 23;

function flowSum(rows: readonly { value: bigint | null }[]): FlowSum {
	const values = rows.map(({ value }) => value);
	const shares =
		values.length > SHARES
			? [...values.slice(0, SHARES - 1), sumOf(values.slice(SHARES - 1))]
			: values;
	return { count: values.length, total: sumOf(values), shares };
}

const pagesOf = (rows: readonly unknown[]): number => Math.max(1, Math.ceil(rows.length / LINES));

/** The lines of a page; of a side that has fewer pages its last ones. */
function linesOf<Row>(rows: readonly Row[], page: number): Row[] {
	const own = Math.min(page, pagesOf(rows));
	return rows.slice((own - 1) * LINES, own * LINES);
}

/** @param wanted page of both sides, the first is 1 */
export function flowPage<View extends Pick<TransactionFacts, 'inputs' | 'outputs'>>(
	view: View,
	wanted: number
): { view: View; flow: Flow } {
	const pages = Math.max(pagesOf(view.inputs), pagesOf(view.outputs));
	const page = Math.min(Math.max(1, wanted), pages);
	return {
		view: { ...view, inputs: linesOf(view.inputs, page), outputs: linesOf(view.outputs, page) },
		flow: { inputs: flowSum(view.inputs), outputs: flowSum(view.outputs), page, pages }
	};
}
