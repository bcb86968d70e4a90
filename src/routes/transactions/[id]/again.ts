import { isOfOwnCoins } from './ownCoins.ts';
import type { PageData } from './$types';

/** Returns the URL of the form that builds a transaction like this one again. */
export function againPath({
	id,
	chain,
	daemon,
	txid,
	request
}: Pick<PageData['send'], 'id' | 'chain' | 'daemon' | 'txid' | 'request'>): string {
	if (request.kind === 'notary-approval') return `/notary-approvals/${request.burnTxid}/approve`;
	const wallet = `/wallets/${encodeURIComponent(daemon)}`;
	if (request.kind === 'merge') return `${wallet}/consolidate`;
	if (request.kind === 'split') return `${wallet}/split`;
	if (request.kind === 'claim') return wallet;
	if (isOfOwnCoins(request.kind)) return `${wallet}/send?again=${id}`;
	const base = `/chains/${encodeURIComponent(chain)}`;
	if (request.kind === 'token-create') return `${base}/tokens/new?again=${id}`;
	const tokenid = 'tokenid' in request ? request.tokenid : txid;
	return `${base}/token/${tokenid}/${request.kind === 'token-burn' ? 'burn' : 'transfer'}?again=${id}`;
}
