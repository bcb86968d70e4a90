import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { lookAfterAll } from '#lib/server/wallet/transactions/lookUp.ts';
import type { PageServerLoad } from './$types';
import { movedBy } from './moved.ts';
import { pageOf, statusOf } from './words.ts';

const SHOWN = 100;

export const load: PageServerLoad = async ({ locals }) => {
	await lookAfterAll(locals.app.sender);
	const now = Date.now();
	const sends = await locals.app.sender.list({ limit: SHOWN });
	const chains = [...new Set(sends.map(({ chain }) => chain))];
	const decimals = new Map(
		await Promise.all(
			chains.map(async (name) => [name, await locals.app.sender.allDecimals(name)] as const)
		)
	);
	return withLabels(locals, {
		lines: sends.map(({ id, kind, chain, txid, request, createdBy, createdAt, ...send }) => ({
			id,
			href: pageOf({ id, kind, chain, follows: send.follows }),
			kind,
			chain,
			txid,
			name: request.kind === 'token-create' ? request.name : null,
			tokenid: 'tokenid' in request ? request.tokenid : null,
			moved: movedBy(request, (tokenid) => decimals.get(chain)?.get(tokenid)),
			/** It is in a block: the explorer has its page. */
			isMined: send.state === 'confirmed',
			createdBy,
			createdAt,
			state: statusOf(
				send,
				now,
				sends.find((one) => one.id === send.follows)
			)
		})),
		shown: SHOWN,
		now
	});
};
