import { bytesToHex } from '#lib/chain/bytes.ts';
import { importsPage } from '#lib/messages/pages/transfers.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readBlockImports, type BlockImports } from '#lib/server/chains/explorer/blockImports.ts';
import { shownProgress } from '#lib/server/chains/explorer/indexAge.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import type { Piece } from '#lib/server/chains/explorer/piece.ts';
import { heightOfSeq } from '#lib/server/chains/indexer/tables.ts';
import { imports } from '#lib/server/chains/lists/imports.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

const BLOCK = /^(\d{1,9}|[0-9a-fA-F]{64})$/;
const LONGEST = 100;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { index, gateway } = locals.app;
	const client = new PageClient(gateway, locals.requestId);
	const typed = (url.searchParams.get('block') ?? '').trim().slice(0, LONGEST);
	let block: Piece<BlockImports> | null = null;
	let fault: string | null = null;
	if (typed !== '') {
		if (!BLOCK.test(typed)) fault = importsPage.faults.form;
		else {
			const id = typed.toLowerCase();
			block = await client.piece(chain, `imports of block ${id}`, () =>
				readBlockImports(client, index, chain, id)
			);
			if (block.state === 'missing' && block.problem.code === 'daemon.rpc-error') {
				fault = importsPage.faults.unknown(chain);
				block = null;
			}
		}
	}
	const [{ rows, ...list }, progress] = await Promise.all([
		listPage(index, imports, url.searchParams, { chain }),
		shownProgress(locals.app, chain)
	]);
	return withLabels(locals, {
		typed,
		fault,
		block,
		list,
		progress,
		rows: rows.map((row) => ({
			txid: bytesToHex(row.txid),
			height: heightOfSeq(row.seq),
			time: Number(row.time) * 1000,
			isSelfImport: row.ccid === null,
			source: row.source,
			burn: bytesToHex(row.burn_txid),
			created: row.paid,
			token: row.tokenid === null ? null : { id: bytesToHex(row.tokenid), units: row.units ?? 0n },
			proof: row.proof
		})),
		chains: gateway.chains(),
		now: client.now
	});
};
