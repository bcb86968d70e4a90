/** Pages through the inputs and outputs of a transaction, since there may be thousands. */
import { sumOf } from '#lib/chain/amount.ts';
import type { TransactionFacts } from './transactionView.ts';

/** Summary of all inputs or all outputs, whichever page is listed. */
interface FlowSum {
	count: number;
	/** Satoshi; null when a value is unknown. */
	total: bigint | null;
	/** Satoshi, for the diagram; the last entry combines all remaining values. */
	shares: (bigint | null)[];
}

export interface Flow {
	inputs: FlowSum;
	outputs: FlowSum;
	page: number;
	pages: number;
}

/** Lines of each side on a page. 200,000 bytes hold some 5,900 outputs, and other chains may allow more. */
const LINES = 200;
/** With the fee, as many as the diagram has room for. */
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

/** Returns the lines of a page; a side with fewer pages shows its last one. */
function linesOf<Row>(rows: readonly Row[], page: number): Row[] {
	const own = Math.min(page, pagesOf(rows));
	return rows.slice((own - 1) * LINES, own * LINES);
}

/**
 * Returns the view with one page of its inputs and outputs.
 * @param wanted page of both sides, starting with 1
 */
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
