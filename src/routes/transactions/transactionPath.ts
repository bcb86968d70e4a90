import type { SEND_KINDS } from '#lib/messages/pages/transactions.ts';

/**
 * Returns the URL of a transaction's page; the two of a self-import share a page, under the id of the
 * source transaction.
 */
export function transactionPath({
	id,
	kind,
	chain,
	follows
}: {
	id: string;
	kind: keyof typeof SEND_KINDS;
	chain: string;
	follows: string | null;
}): string {
	return kind === 'self-import-source' || kind === 'self-import'
		? `/chains/${encodeURIComponent(chain)}/self-import/${follows ?? id}`
		: `/transactions/${id}`;
}
