/** The requests of the list benchmark, by their names in the table. */
import { writeCursor } from '#lib/server/chains/lists/cursor.ts';
import type { Generated } from './generate.ts';

export function questions(made: Generated): Record<string, string> {
	const { chain, height, tokenid, busyToken, miner, owner, middle, txid } = made;
	const api = `/api/v1/chains/${chain}`;
	const tokens = `/chains/${chain}/tokens`;
	const deep = writeCursor('-created', [middle]);
	return {
		'start page': '/',
		'page of a chain': `/chains/${chain}`,
		'page of tokens, newest first': tokens,
		'page of tokens, by name': `${tokens}?sort=name`,
		'page of tokens, by holders': `${tokens}?sort=-holders`,
		'page of tokens, by transfers': `${tokens}?sort=-transfers`,
		'page of tokens, beginning of a name': `${tokens}?q=harbour`,
		'page of tokens, non-fungible by name': `${tokens}?kind=nft&sort=name`,
		'page of tokens, non-fungible by supply': `${tokens}?kind=nft&sort=-supply`,
		'page of tokens, imported by holders': `${tokens}?imported=yes&sort=-holders`,
		'page of tokens of a key': `${tokens}?owner=${owner}`,
		'tokens from the middle on': `${api}/tokens?cursor=${deep}`,
		'1000 tokens as JSON': `${api}/tokens?limit=1000`,
		'page of a token': `/chains/${chain}/token/${tokenid}`,
		'page of a token with many holders': `/chains/${chain}/token/${busyToken}`,
		'holders of that token': `${api}/holders?tokenid=${busyToken}`,
		'transfers of that token': `${api}/token-transfers?tokenid=${busyToken}`,
		'page of blocks': `/chains/${chain}/blocks`,
		'blocks in the middle': `${api}/blocks?to=${height >> 1}`,
		'transactions of a rare kind': `${api}/transactions?kind=import`,
		'transactions of a common kind': `${api}/transactions?kind=token-transfer`,
		'one transaction': `${api}/tx/${txid}`,
		'page of the busiest address': `/chains/${chain}/address/${miner}`,
		'history of the busiest address': `${api}/address-transactions?address=${miner}`,
		'page of notarizations': `/chains/${chain}/notarizations`,
		'notarizations of a chain': `${api}/notarizations?of=ALPHA`,
		'page of transfers': '/transfers',
		// Of the burns of ten thousand blocks four are open: every size requests as many.
		'transfers, open ones': '/api/v1/transfers?state=open&limit=4',
		'transfers, completed ones to a chain': '/api/v1/transfers?to=BETA&state=done',
		'transfers of tokens': '/api/v1/transfers?from=ALPHA&what=tokens',
		'page of the reconciliation': '/reconciliation',
		'page of the routes': '/routes',
		'search for a hash': `/api/search?q=${tokenid}`,
		'search for the beginning of a hash': `/api/search?q=${tokenid.slice(0, 10)}`,
		'search for a height': `/api/search?q=${height >> 1}`,
		'search for a name': '/api/search?q=silver%20north',
		'search for a name with a typing error': '/api/search?q=harbuor',
		'search for a key': `/api/search?q=${owner}`
	};
}
